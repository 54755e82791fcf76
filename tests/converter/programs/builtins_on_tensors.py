"""Programs about Python's builtins called with tensors."""

from __future__ import annotations

import functools

import tensorflow as tf
from differential import Python, program


@program([1, 2, 3], [4], unknown=True)
def length(x):
    return len(x) * 2


@program(3.7, -3.7)
def to_int(x):
    return int(x) + 1


@program(3)
def to_float(n):
    return float(n) / 2.0


@program(0, 3)
def to_bool(n):
    if bool(n):
        return 1
    return 2


@program(-3.0, 3.0)
def absolute(x):
    return abs(x) + 1.0


@program((3, 5), (5, 3))
def smaller_of_two(a, b):
    return min(a, b)


@program((3.0, 5.0, 4.0))
def larger_of_three(a, b, c):
    return max(a, b, c)


@program([3, 1, 2], [4], unknown=True)
def smallest_and_largest(x):
    return min(x), max(x)


@program([1.0, 2.0, 3.0], unknown=True)
def sum_of_tensor(x):
    return sum(x)


@program(([1.0, 2.0], 10.0))
def sum_with_start(x, start):
    return sum(x, start)


@program([[1, 2], [3, 4]], unknown=True)
def sum_of_rows_by_builtin(x):
    return sum(x)


@program([True, False], [False, False], unknown=True)
def any_of_tensor(flags):
    return any(flags)


@program([True, True], [True, False], unknown=True)
def all_of_tensor(flags):
    return all(flags)


@program(([1, 5], 3), ([1, 2], 3), unknown=True)
def any_of_comparison(x, limit):
    if any(x > limit):
        return 1
    return 0


@program([3, 1, 2], [1], unknown=True)
def sorted_values(x):
    return sorted(x)[0]


@program([3.0, 1.0, 2.0], unknown=True)
def sorted_descending(x):
    return tf.stack(sorted(x, reverse=True))


@program([3, -1, 2], unknown=True)
def sorted_by_key(x):
    return tf.stack(sorted(x, key=lambda v: v * v))


@program(2.6, -1.2, reference=lambda x: tf.cast(tf.round(x), tf.int32))
def rounded(x):
    return round(x)


@program((2.0, 3.0))
def power(x, y):
    return pow(x, y)


@program((3, 4, 5))
def power_modulo(x, y, m):
    return pow(x, y) % m


@program((17, 5), (-17, 5), reference=lambda a, b: (a // b, a % b))
def quotient_and_remainder(a, b):
    return divmod(a, b)


@program(2.678, reference=lambda x: tf.round(x * 10.0) / 10.0)
def rounded_to_digits(x):
    return round(x, 1)


@program([5, 6, 7], unknown=True)
def enumerate_tensor(xs):
    total = 0
    for i, x in enumerate(xs):
        total += i * x
    return total


@program([5, 6, 7], unknown=True)
def enumerate_from_one(xs):
    total = 0
    for i, x in enumerate(xs, 1):
        total += i * x
    return total


@program(([1, 2, 3], [4, 5, 6]), ([1], [2]), unknown=True)
def zip_of_tensors(xs, ys):
    total = 0
    for x, y in zip(xs, ys):
        total += x * y
    return total


@program(([1, 2, 3], [4, 5]), unknown=True)
def zip_stops_at_the_shorter(xs, ys):
    total = 0
    for x, y in zip(xs, ys):
        total += x * y
    return total


@program([1, 2, 3], unknown=True)
def reversed_tensor(xs):
    total = 0
    for x in reversed(xs):
        total = total * 10 + x
    return total


@program(4, 0)
def reversed_range(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 2 + i
    return total


@program([1, 2, 3], unknown=True)
def map_over_tensor(xs):
    total = 0
    for y in map(lambda x: x * x, xs):
        total += y
    return total


@program([1, -2, 3], [-1], unknown=True)
def filter_of_tensor(xs):
    total = 0
    for x in filter(lambda x: x > 0, xs):
        total += x
    return total


@program(([1, 2], [3, 4]), unknown=True)
def map_of_two(xs, ys):
    return tf.stack(list(map(lambda x, y: x * y, xs, ys)))


@program([4, 5, 6])
def iter_and_next(xs):
    items = iter(xs)
    first = next(items)
    second = next(items)
    return first * 10 + second


@program((2.0, 3), (-2.0, 3))
def isinstance_of_tensor(x, n):
    if isinstance(x, tf.Tensor) and not isinstance(n, float):
        return x * 2.0 if x > 0 else x
    return x


@program([[1, 2, 3], [4, 5, 6]], unknown=True)
def range_of_length(x):
    total = 0
    for i in range(len(x)):
        for j in range(len(x[i])):
            total += x[i, j] * (i + j)
    return total


@program(5, 0)
def range_as_a_value(n):
    indices = range(n)
    total = 0
    for i in indices:
        total += i
    return total + len(indices)


class Base:
    def __init__(self, scale):
        self.scale = scale

    def call(self, x):
        if x > 0:
            return x * self.scale
        return x


class Derived(Base):
    def __init__(self, scale, offset):
        super().__init__(scale)
        self.offset = offset

    def call(self, x):
        if x > 10.0:
            return super().call(x) + self.offset
        return super().call(x) - self.offset


@program(1.0, 20.0, -1.0)
def super_in_a_branch(x):
    return Derived(2.0, 0.5).call(x)


@program((3, Python(4)), (5, Python(4)))
def python_and_tensor_minimum(a, b):
    return min(a, b)


@program([1, 2, 3, 4], unknown=True)
def max_by_key(xs):
    return max(xs, key=lambda x: (x * 3) % 5)


@program((5.0, 2))
def numbers_from_tensors(x, n):
    return float(n) * x + float(int(x / 2.0))


@program([[3, 4], [1, 2]])
def list_of_a_tensor(x):
    rows = list(x)
    return rows[1] - rows[0], len(rows)


@program(5, 1)
def range_index(n):
    r = range(1, n + 1)
    return r[0], r[-1], len(r), 3 in r, sum(r)


@program(lambda: tf.data.Dataset.range(7))
def dataset_sum(ds):
    return sum(x for x in ds), max(ds)


@program([5, 2, 4, 5], unknown=True)
def lambda_and_key(values):
    xs = [(v, -v) for v in values]
    return min(xs, key=lambda p: p[1])[0]


@program(([[1, 2], [3, 4]],), unknown=True)
def rows_unpacked(pairs):
    total = 0
    for a, b in pairs:
        total += a * b
    return total


@program([3, 1, 2], unknown=True)
def sorted_pairs(xs):
    ps = [(x, i) for i, x in enumerate(xs)]
    out = 0
    for x, i in sorted(ps, key=lambda p: p[0]):
        out = out * 10 + i
    return out


@program([3.0, 1.0, 4.0], [2.0], unknown=True)
def reduced(xs):
    def step(total, x):
        if x > 2.0:
            return total * x
        return total - x

    return functools.reduce(step, xs)


@program([3, 1, 4], unknown=True)
def reduced_from_a_number(xs):
    return functools.reduce(lambda total, x: total * 2 + x, xs, 1)


@program([1.0, 2.0, 3.0])
def reduced_dataset(xs):
    return functools.reduce(lambda total, x: total * 2.0 + x, tf.data.Dataset.from_tensor_slices(xs))


@program(3.0)
def reduced_list(x):
    return functools.reduce(lambda total, y: total + y if y > 1.0 else total, [x, x * 2.0, x * 0.1])


@program([5.0, 3.0, 4.0])
def sorted_by_what_python_knows_first(xs):
    named = sorted({"b": xs[0], "a": xs[1]}.items())
    numbered = sorted(zip([2, 1, 3], [xs[0], xs[1], xs[2]]), reverse=True)
    return [value for _, value in named], numbered


@program([5.0, 3.0, 5.0])
def sorted_part_by_part(xs):
    pairs = [(2, xs[1]), (1, xs[0]), (2, xs[2] - 3), (1, xs[1])]
    return sorted(pairs), sorted(zip(xs, xs * -2), reverse=True)


@program([5.0, 3.0, 4.0])
def sorted_in_place(xs):
    values = [xs[0], xs[1], xs[2]]
    values.sort()
    pairs = [(1, xs[0]), (0, xs[1]), (1, xs[2])]
    pairs.sort(reverse=True)
    numbers = [3, 1, 2]
    numbers.sort()
    xs_down = [xs[0], xs[1], xs[2]]
    xs_down.sort(key=lambda x: -x)
    return values, pairs, numbers, xs_down


@program(2.0, -1.5)
def no_gradient_comes_back_from_a_float(x):
    logged = [float(x * x)]
    return x * float(x) + logged[0]


@program([1.0, 3.0, 3.0], [2.0, 2.0], unknown=True)
def the_first_of_several_extremes_gets_the_gradient(xs):
    return 2.0 * max(xs) - min(xs)


@program([float("nan"), 1.0], [1.0, float("nan"), 2.0], [2.0, float("nan"), 1.0])
def extremes_beside_what_is_no_number(xs):
    return max(xs), min(xs)
