"""Programs about enumerate, zip, reversed, map and filter of things, datasets, iterators and ragged tensors."""

from __future__ import annotations

import itertools

import tensorflow as tf
from differential import Python, program


def numbers(count=5):
    return tf.data.Dataset.range(count)


def floats():
    return tf.data.Dataset.from_tensor_slices([1.0, -2.0, 3.0])


def pairs():
    return tf.data.Dataset.from_tensor_slices(([1, 2, 3], [4, 5, 6]))


def ragged():
    return tf.ragged.constant([[1, 2], [], [3, 4, 5]])


@program(numbers, lambda: numbers(0))
def sum_of_dataset(ds):
    total = tf.constant(0, tf.int64)
    for x in ds:
        total += x
    return total


@program(floats)
def dataset_with_condition(ds):
    total = 0.0
    for x in ds:
        if x > 0:
            total += x
        else:
            total -= x
    return total


@program(floats, lambda: floats().take(1))
def dataset_with_break(ds):
    total = 0.0
    for x in ds:
        if x < 0:
            break
        total += x
    return total


@program(numbers, lambda: numbers(2))
def dataset_with_return(ds):
    for x in ds:
        if x > 2:
            return x * 10
    return tf.constant(-1, tf.int64)


@program(numbers)
def dataset_with_continue(ds):
    total = tf.constant(0, tf.int64)
    for x in ds:
        if x % 2 == 0:
            continue
        total += x
    return total


@program(pairs)
def dataset_of_pairs(ds):
    total = 0
    for a, b in ds:
        total += a * b
    return total


@program(numbers)
def dataset_enumerated(ds):
    total = tf.constant(0, tf.int64)
    for i, x in enumerate(ds):
        total += tf.cast(i, tf.int64) * x
    return total


@program((numbers, lambda: numbers(3)))
def datasets_zipped(a, b):
    total = tf.constant(0, tf.int64)
    for x, y in zip(a, b):
        total += x * y + 1
    return total


@program((numbers, 3))
def dataset_map_with_branch(ds, limit):
    def step(x):
        if x > tf.cast(limit, tf.int64):
            return x * 10
        return x

    total = tf.constant(0, tf.int64)
    for x in ds.map(step):
        total += x
    return total


@program(numbers)
def dataset_filter_and_reduce(ds):
    def keep(x):
        if x > 3:
            return False
        return x > 0

    def add(total, x):
        if x > 1:
            return total + x
        return total

    return ds.filter(keep).reduce(tf.constant(0, tf.int64), add)


@program(lambda: numbers(10))
def batched_dataset(ds):
    best = tf.constant(0, tf.int64)
    for batch in ds.batch(4):
        s = tf.reduce_sum(batch)
        if s > best:
            best = s
    return best


@program(numbers)
def dataset_with_else(ds):
    last = tf.constant(0, tf.int64)
    for x in ds:
        last = x
        if x > 100:
            break
    else:
        last = last + 1000
    return last


@program(numbers)
def iterator_of_dataset(ds):
    iterator = iter(ds)
    first = next(iterator)
    total = first * 100
    for x in iterator:
        total += x
    return total


@program(numbers)
def next_in_a_loop(ds):
    iterator = iter(ds)
    total = tf.constant(0, tf.int64)
    for _ in tf.range(3):
        total += next(iterator)
    return total


@program(floats)
def dataset_into_a_list(ds):
    out = []
    for x in ds:
        out.append(x * 2.0)
    return tf.stack(out)


@program((numbers, 2), (numbers, 0))
def epochs_over_dataset(ds, epochs):
    total = tf.constant(0, tf.int64)
    for _ in range(epochs):
        for x in ds:
            total += x
    return total


@program(lambda: tf.data.Dataset.from_tensor_slices({"x": [1.0, 2.0], "y": [3.0, 4.0]}))
def dataset_of_dicts(ds):
    total = 0.0
    for row in ds:
        if row["x"] > 1.0:
            total += row["y"]
        else:
            total += row["x"]
    return total


@program(ragged)
def ragged_rows(rows):
    total = 0
    for row in rows:
        total = total * 2 + tf.reduce_sum(row)
    return total


@program(ragged)
def longest_ragged_row(rows):
    longest = 0
    for row in rows:
        if tf.size(row) > longest:
            longest = tf.size(row)
    return longest


@program(ragged)
def ragged_nested(rows):
    total = 0
    for row in rows:
        for x in row:
            if x == 4:
                break
            total += x
    return total


@program(([1, 2, 3], 2), unknown=True)
def enumerate_with_break(xs, stop):
    total = 0
    for i, x in enumerate(xs):
        if i == stop:
            break
        total += x
    return total


@program(([1, 2, 3], [4, 5, 6]), unknown=True)
def enumerate_of_zip(xs, ys):
    total = 0
    for i, (x, y) in enumerate(zip(xs, ys)):
        total += i * (x - y)
    return total


@program([1, 2, 3], unknown=True)
def zip_with_itself_shifted(xs):
    total = 0
    for a, b in zip(xs[:-1], xs[1:]):
        if b > a:
            total += b * a
    return total


@program([1, 2, 3], unknown=True)
def reversed_enumeration(xs):
    total = 0
    for i, x in enumerate(reversed(xs)):
        total += i * x
    return total


@program([1, -2, 3], [-4], unknown=True)
def map_of_filter(xs):
    total = 0
    for y in map(lambda x: x * 10, filter(lambda x: x > 0, xs)):
        total += y
    return total


@program(([1.0, 2.0], Python(["a", "b"])))
def zip_of_tensor_and_python_list(xs, names):
    return {name: x * 2.0 for name, x in zip(names, xs)}


@program(({"a": 1.0, "b": -2.0},))
def items_of_a_dict(values):
    total = 0.0
    for name, v in values.items():
        if v > 0:
            total += v * len(name)
        else:
            total -= v
    return total


@program(((1.0, 2.0, -3.0),))
def tuple_of_tensors(values):
    total = 0.0
    for v in values:
        if v < 0:
            break
        total += v
    return total


@program(((1.0, 2.0, -3.0),))
def find_in_tuple(values):
    for i, v in enumerate(values):
        if v < 0:
            return v * i
    return tf.zeros([])


@program([[1, 2], [3, 4]], unknown=True)
def rows_unpacked_in_loop(rows):
    total = 0
    for row in rows:
        a, b = row[0], row[1]
        total += a * 10 + b
    return total


@program((4, 2))
def range_with_step(n, step):
    total = 0
    for i in range(0, n * step, step):
        total += i
    return total


@program((numbers, 3))
def take_while(ds, limit):
    taken = 0
    for x in ds:
        if tf.cast(x, tf.int32) >= limit:
            break
        taken += 1
    return taken


@program(lambda: tf.data.Dataset.range(6).window(2).flat_map(lambda w: w.batch(2)))
def windows(ds):
    total = tf.constant(0, tf.int64)
    for window in ds:
        total += window[0] * window[1]
    return total


@program(3.0)
def python_generator_expression(x):
    return sum(x * i for i in (1, 2, 3))


@program(([1.0, 2.0, 3.0], 2), unknown=True)
def tensor_slices_in_loop(xs, size):
    total = 0.0
    for start in range(len(xs) - size + 1):
        total += tf.reduce_max(xs[start : start + size])
    return total


@program([1, 2, 3, 4], unknown=True)
def rest_of_iterator(values):
    it = iter(values)
    best = next(it)
    for v in it:
        if v > best:
            best = v
    return best


@program([3, 1, 2, 8], unknown=True)
def next_of_generator(values):
    return next((v for v in values if v > 1), -1)


@program(ragged)
def ragged_index(rt):
    total = 0
    for i in range(rt.nrows()):
        row = rt[i]
        if len(row) > 0:
            total += row[0] + row[-1]
    return total


@program(lambda: tf.data.Dataset.range(7))
def dataset_list(ds):
    xs = list(ds)
    return tf.stack(xs)


@program(lambda: tf.data.Dataset.range(6))
def dataset_filtered_list(ds):
    xs = []
    for x in ds:
        if x % 2 == 0:
            xs.append(x)
    return tf.stack(xs), len(xs)


@program(lambda: tf.data.Dataset.range(6))
def dataset_break_and_list(ds):
    xs = []
    for x in ds:
        if x > 3:
            break
        xs.append(x * x)
    return tf.stack(xs)


@program(([1, 2, 3],), unknown=True)
def iter_pairs(xs):
    it = iter(xs)
    prev = next(it)
    out = []
    for x in it:
        out.append(x - prev)
        prev = x
    return tf.stack(out)


@program(([1, 2, 3],), unknown=True)
def windows_pairs(xs):
    out = []
    for a, b in zip(xs[:-1], xs[1:]):
        out.append(b - a)
    return tf.stack(out)


@program(([1, 2, 3],), unknown=True)
def next_none(xs):
    first = next((x for x in xs if x > 5), None)
    if first is None:
        return -1
    return first


@program((lambda: tf.data.Dataset.from_tensor_slices(([1, 2, 3], [4.0, 5.0, 6.0])),))
def dataset_pairs_to_lists(ds):
    xs, ys = [], []
    for x, y in ds:
        xs.append(x)
        ys.append(y)
    return tf.stack(xs), tf.stack(ys)


@program((lambda: tf.data.Dataset.range(10),))
def dataset_take_while(ds):
    out = []
    for i, x in enumerate(ds):
        if i >= 3:
            break
        out.append(x)
    return tf.stack(out)


class Account:
    def __init__(self, key, amount):
        self.key = key
        self.amount = amount


@program(1, 3)
def the_first_row_that_is_found(key):
    rows = [[1, 10], [2, 20], [3, 30]]
    found = next(row for row in rows if row[0] == key)
    found[1] += 5
    return rows


@program(1, 7)
def the_first_object_that_is_found_or_none(key):
    accounts = [Account(1, 10), Account(2, 20)]
    found = next((account for account in accounts if account.key == key), None)
    if found is not None:
        found.amount += 5
    return [account.amount for account in accounts]


@program(1, 3)
def the_first_number_that_is_greater(x):
    return next((v for v in [1, 2, 3] if v > x), -1), next((2 * i for i, v in enumerate([1, 2, x]) if v > 1), 9)


@program(0)
def no_element_is_found(x):
    return next(v for v in [1, 2, 3] if v < x)


@program(1, 3, 7)
def a_row_that_a_loop_returns(key):
    rows = [[1, 10], [2, 20], [3, 30]]

    def find():
        for row in rows:
            if row[0] == key:
                return row
        return rows[0]

    find()[1] += 5
    return rows


@program(1, -1)
def a_call_that_is_none(x):
    def positive(x):
        if x > 0:
            return x
        return None

    return 1 if positive(x) is None else 2, positive(x) is not None


@program([1.0, 2.0], refused="TypeError: moves an iterator of Python's once")
def an_iterator_from_around_a_loop(xs):
    numbers = itertools.count()
    total = 0
    for _ in xs:
        total += next(numbers)
    return total


@program([1.0, 2.0])
def an_iterator_of_each_iteration(xs):
    total = 0.0
    for x in xs:
        numbers = iter([1.0, 2.0])
        total += next(numbers) * x + next(numbers)
    return total


def positive_or_none(x):
    if x > 0:
        return x
    return None


@program(1, -1)
def a_call_of_a_function_of_the_module_that_is_none(x):
    return 1 if positive_or_none(x) is None else 2, positive_or_none(x) is not None


def parts_of(xs, size):
    for start in range(0, len(xs), size):
        yield xs[start : start + size]


def weighted(xs, ys):
    for place, (x, y) in enumerate(zip(xs, ys, strict=True)):
        yield place * x * y
    yield from (abs(x) for x in xs)


@program([1.0, -2.0, 3.0])
def generators_that_go_over_tensors(xs):
    sums = [tf.reduce_sum(part) for part in parts_of(xs, 2)]
    best = None
    for value in weighted(xs, xs):
        if best is None or value > best:
            best = value
    return sums, best
