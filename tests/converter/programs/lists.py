"""Programs about lists that grow, shrink and are read in loops and branches."""

from __future__ import annotations

import dataclasses

import graphwright as gw
import tensorflow as tf
from differential import Python, program


@program(4, 1)
def append_and_stack(n):
    xs = []
    for i in range(n):
        xs.append(i * i)
    return tf.stack(xs)


@program(4, 0, reference=tf.range)
def element_type_is_set(n):
    xs = []
    gw.set_element_type(xs, tf.int32)
    for i in range(n):
        xs.append(i)
    return gw.stack(xs)


@program([1.0, 2.0, 3.0], [5.0], unknown=True)
def running_sums(values):
    sums = []
    total = 0.0
    for v in values:
        total += v
        sums.append(total)
    return tf.stack(sums)


@program([1, 2, 3, 4], [1], unknown=True)
def append_under_a_condition(values):
    odd = []
    for v in values:
        if v % 2 == 1:
            odd.append(v)
    return tf.stack(odd)


@program([1, -2, 3, -4], unknown=True)
def two_lists(values):
    positive, negative = [], []
    for v in values:
        if v > 0:
            positive.append(v)
        else:
            negative.append(v)
    return tf.stack(positive), tf.stack(negative)


@program(5, 0)
def length_while_growing(n):
    xs = []
    for i in range(n):
        if i % 2 == 0:
            xs.append(i)
    return len(xs)


@program(8, 2)
def fibonacci_list(n):
    xs = [0, 1]
    for _ in range(n):
        xs.append(xs[-1] + xs[-2])
    return tf.stack(xs)


@program([1, 2, 3], unknown=True)
def stack_machine(ops):
    stack = [10]
    for op in ops:
        top = stack.pop()
        stack.append(top * op)
    return stack[0]


@program(5)
def push_all_pop_all(n):
    stack = []
    for i in range(n):
        stack.append(i)
    total = 0
    while len(stack) > 0:
        total = total * 3 + stack.pop()
    return total


@program((2.0, True), (2.0, False))
def append_in_a_branch(x, flag):
    xs = [x]
    if flag:
        xs.append(x * 2.0)
    else:
        xs.append(x * 3.0)
    return xs[0] + xs[1]


@program((2.0, Python(True)), (2.0, Python(False)))
def append_under_a_python_flag(x, flag):
    xs = [x]
    if flag:
        xs.append(x * 2.0)
    return sum(xs)


@program((1.0, Python(3)), (1.0, Python(0)))
def python_loop_grows(x, n):
    xs = [x]
    for i in range(n):
        xs.append(xs[-1] * 2.0)
    return xs


@program(3, 0)
def fixed_list_as_state(n):
    xs = [0, 1, 2]
    for i in range(n):
        xs = [xs[1], xs[2], xs[0] + i]
    return xs


@program(3, 0)
def set_elements_in_a_loop(n):
    xs = [0, 0]
    for i in range(n):
        xs[0] = xs[0] + i
        xs[1] = xs[1] + 1
    return xs


@program((4, 2), (4, 0))
def element_by_tensor_index(n, at):
    xs = [n, n * 2, n * 3]
    return xs[at]


@program(3)
def extend_in_a_loop(n):
    xs = []
    for i in range(n):
        xs.extend([i, -i])
    return tf.stack(xs)


@program(3)
def augmented_list(n):
    xs = []
    for i in range(n):
        xs += [i * 2]
    return tf.stack(xs)


@program([[1.0, 2.0], [3.0, 4.0]], unknown=True)
def append_rows(rows):
    out = []
    for row in rows:
        out.append(row * 2.0)
    return tf.stack(out)


@program([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], unknown=True)
def rnn_outputs(inputs):
    state = tf.zeros([2])
    outputs = []
    for x in inputs:
        state = tf.tanh(x + state)
        outputs.append(state)
    return tf.stack(outputs), state


@program([[1.0], [2.0]])
def concatenated(rows):
    parts = []
    for row in rows:
        parts.append(row + 1.0)
    return tf.concat(parts, axis=0)


@program(4)
def insert_at_the_front(n):
    xs = []
    for i in range(n):
        xs.insert(0, i)
    return tf.stack(xs)


@program([3, 1, 2], unknown=True)
def grown_then_indexed(values):
    xs = []
    for v in values:
        xs.append(v * 10)
    return xs[1]


@program([3, 1, 2], unknown=True)
def grown_then_iterated(values):
    doubled = []
    for v in values:
        doubled.append(v * 2)
    total = 0
    for d in doubled:
        total = total * 10 + d
    return total


@program([3, 1, 2], unknown=True)
def grown_in_while(values):
    out = []
    i = 0
    while i < len(values):
        out.append(values[i] + i)
        i += 1
    return tf.stack(out)


@program([5, 0, 7], [1, 2], unknown=True)
def append_until_break(values):
    out = [-1]
    for v in values:
        if v == 0:
            break
        out.append(v)
    return tf.stack(out)


@program((3, 2))
def matrix_by_nested_loops(rows, columns):
    cells = []
    for i in range(rows):
        for j in range(columns):
            cells.append(i * 10 + j)
    return tf.reshape(tf.stack(cells), [rows, columns])


@program(3.0)
def python_list_methods(x):
    xs = [x, x + 1.0, x + 2.0]
    xs.reverse()
    xs.insert(1, x * 10.0)
    last = xs.pop()
    return xs, last, len(xs)


@program([4, 5, 6], unknown=True)
def list_cleared(values):
    seen = [0]
    for v in values:
        if v == 5:
            seen.clear()
        seen.append(v)
    return tf.stack(seen)


@program(4, 1)
def list_of_pairs(n):
    indices, squares = [], []
    for i in range(n):
        indices.append(i)
        squares.append(i * i)
    return {"indices": tf.stack(indices), "squares": tf.stack(squares)}


@program(3.0, 1.0)
def appended_floats_until(x):
    xs = [x]
    while x < 20.0:
        x = x * 2.0
        xs.append(x)
    return tf.reduce_sum(tf.stack(xs))


@program(([1.0, 2.0], 3))
def list_of_vectors(v, n):
    history = [v]
    for _ in range(n):
        v = v * 0.5
        history.append(v)
    return tf.reduce_mean(tf.stack(history), axis=0)


@program([1, 2, 3, 4], unknown=True)
def delete_in_loop(values):
    xs = []
    for v in values:
        xs.append(v)
        if v % 2 == 0:
            del xs[-1]
    return tf.stack(xs)


@program([1, 2, 3, 4], unknown=True)
def assign_last(values):
    xs = []
    for v in values:
        xs.append(v)
    xs[-1] = 100
    xs[0] = xs[1] + 1
    return tf.stack(xs)


@program([1, 2, 3, 4], unknown=True)
def augmented_item(values):
    xs = []
    for v in values:
        xs.append(v)
        xs[0] += v
    return tf.stack(xs)


@program([3, 1, 2], unknown=True)
def sum_min_max(values):
    xs = []
    for v in values:
        xs.append(v * 2)
    return sum(xs), min(xs), max(xs), sum(xs, 100), max(xs, key=lambda x: -x), min(xs, default=0)


@program([3, 1, 2], unknown=True)
def zipped_lists(values):
    xs, ys = [], []
    for v in values:
        xs.append(v)
        ys.append(v * 10)
    total = 0
    for x, y in zip(xs, ys):
        total += x * y
    return total


@program([3, 1, 2], unknown=True)
def list_of_list(values):
    xs = []
    for v in values:
        xs.append(v)
    ys = list(xs)
    ys.append(99)
    return tf.stack(xs), tf.stack(ys)


@program([3, 1, 2], unknown=True)
def tuple_of_list(values):
    xs = []
    for v in values:
        xs.append(v)
    ys = tuple(xs)
    return ys[0] + ys[-1], len(ys)


@program(6)
def stack_machine_two(n):
    stack = [n]
    total = 0
    while len(stack) > 0:
        x = stack.pop()
        total += 1
        if x > 1:
            stack.append(x - 1)
            stack.append(x - 2)
    return total


@program(5)
def queue(n):
    queue = [n]
    order = []
    while queue:
        x = queue.pop(0)
        order.append(x)
        if x > 1:
            queue.append(x // 2)
            if x % 2 == 1:
                queue.append(x - 1)
    return tf.stack(order)


@program([3, 1, 2], unknown=True)
def list_of_tuples(values):
    xs = []
    for i, v in enumerate(values):
        xs.append((i, v * 2))
    total = 0
    for i, v in xs:
        total += i * v
    return total, xs[-1][1]


@program([3, 1, 2], unknown=True)
def list_of_lists(values):
    xs = []
    for v in values:
        row = []
        for i in range(v):
            row.append(i)
        xs.append(row)
    return len(xs)


def add_to(xs, v):
    xs.append(v)


@program([4, 1, 2], unknown=True)
def list_changed_by_helper(values):
    xs = []
    for v in values:
        add_to(xs, v)
    return tf.stack(xs)


@program((True,), (False,))
def lists_of_two_lengths(flag):
    if flag:
        xs = [1, 2, 3]
    else:
        xs = [4]
    return sum(xs), len(xs)


@program([3, 1, 2], unknown=True)
def list_index_count(values):
    xs = []
    for v in values:
        xs.append(v)
    return xs.index(1), xs.count(2)


@program([3, 1, 2], unknown=True)
def list_not_empty(values):
    xs = []
    for v in values:
        if v > 1:
            xs.append(v)
    if not xs:
        return 0
    return len(xs) if xs and xs[0] > 2 else -1


@program((4,))
def list_fixed_writes(n):
    fib = [0] * 10
    fib[1] = 1
    for i in range(2, n):
        fib[i] = fib[i - 1] + fib[i - 2]
    return tf.stack(fib)


@program((6,), (2,))
def sieve(n):
    primes = []
    for i in range(2, n + 8):
        is_prime = True
        for p in primes:
            if i % p == 0:
                is_prime = False
                break
        if is_prime:
            primes.append(i)
    return tf.stack(primes)


@program((6,), (2,))
def any_generator_sieve(n):
    primes = []
    for i in range(2, n + 8):
        if not any(i % p == 0 for p in primes):
            primes.append(i)
    return tf.stack(primes)


@program([1, 2, 3, 4, 5], unknown=True)
def merge_sorted(xs):
    a, b = [], []
    for x in xs:
        if x % 2 == 0:
            a.append(x)
        else:
            b.append(x)
    out = []
    i, j = 0, 0
    while i < len(a) and j < len(b):
        if a[i] < b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out.extend(a[i:])
    out.extend(b[j:])
    return tf.stack(out)


@program([5, 2, 4], unknown=True)
def bubble(values):
    xs = list(values)
    n = len(xs)
    for i in range(n):
        for j in range(n - 1):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return tf.stack(xs)


@program([5, 2, 4, 5], unknown=True)
def unique(values):
    seen = []
    for v in values:
        if v not in seen:
            seen.append(v)
    return tf.stack(seen)


@program([1, 2, 3], unknown=True)
def dict_of_lists(xs):
    groups = {"odd": [], "even": []}
    for x in xs:
        if x % 2 == 0:
            groups["even"].append(x)
        else:
            groups["odd"].append(x)
    return tf.stack(groups["odd"]), len(groups["even"])


@program([1, 2, 3], unknown=True)
def list_of_lists_fixed(xs):
    cols = [[], []]
    for x in xs:
        cols[0].append(x)
        cols[1].append(x * x)
    return tf.stack(cols[0]), tf.stack(cols[1])


@program([3, 1, 2], unknown=True)
def jagged(xs):
    rows = []
    for x in xs:
        row = []
        for i in range(x):
            row.append(i)
        rows.append(row)
    total = 0
    for row in rows:
        for v in row:
            total += v
    return total, len(rows)


@program((5,))
def jagged_pascal(n):
    row = [1]
    for _ in range(n):
        new = [1]
        for i in range(len(row) - 1):
            new.append(row[i] + row[i + 1])
        new.append(1)
        row = new
    return tf.stack(row)


@program([3, 1, 2], unknown=True)
def pairs_appended_sorted(xs):
    ps = []
    for i, x in enumerate(xs):
        ps.append((x, i))
    ps.sort(key=lambda p: p[0], reverse=True)
    best = max(ps, key=lambda p: p[0])
    return ps[0][1], best[1]


@program([3, 1, 2], unknown=True)
def while_pop(xs):
    stack = []
    for x in xs:
        stack.append(x)
    total = 0
    while len(stack) > 1:
        a = stack.pop()
        b = stack.pop()
        stack.append(a + b)
        total += 1
    return stack[0], total


@program((10,))
def while_true_pop(n):
    todo = [n]
    steps = 0
    while True:
        if not todo:
            break
        x = todo.pop()
        steps += 1
        if x > 1:
            todo.append(x // 2)
    return steps


@program((5,))
def rolling_append_pop(n):
    last = [0, 0]
    for i in range(n):
        last.append(i)
        last.pop(0)
    return tf.stack(last)


@program(([1, 2, 3], 2), unknown=True)
def del_by_tensor(xs, i):
    out = []
    for x in xs:
        out.append(x)
    del out[i]
    out.insert(i - 1, 7)
    return tf.stack(out), out[i]


@program(Python([1, 2]), Python([]))
def made_behind_an_early_return(xs):
    if not xs:
        return []
    out = []
    for x in xs:
        out.append(x)
    return out


@program((Python([3, -1, 4]), 2), (Python([]), 2))
def made_in_a_branch_in_a_loop(xs, x):
    found = []
    for k in xs:
        if k > 0:
            pair = [k]
            pair.append(x)
            found.append(pair)
    return found


@program((Python([3, 4]), Python(True)), (Python([3]), Python(False)))
def made_in_a_branch_alone(xs, wanted):
    if wanted:
        seen = {}
        for k in xs:
            seen[k] = k
            seen.update({-k: k})
        return seen
    return None


@program((Python([3, 4]), 1), (Python([]), -1))
def made_under_try(xs, x):
    try:
        if x > 0:
            x = x + 1
        out = [x]
        for k in xs:
            out.append(x + k)
    except KeyError:
        out = []
    return out


@dataclasses.dataclass
class Node:
    kids: list


@program((Python(True), 2), (Python(False), 2))
def a_comprehensions_own_variable(deep, x):
    nodes = [Node([]), Node([])]
    if deep:
        [z.kids.append(x) for z in nodes]
    if x > 0:
        sizes = [len(z.kids) for z in nodes]
    else:
        sizes = [0, 0]
    return sizes


@program((Python([2, 1]), 2), (Python([]), 2))
def a_lambdas_own_variable(xs, x):
    if len(xs) > 1:
        add = lambda z: z.kids.append(x)
        node = Node([])
        add(node)
        return node.kids
    return [x]


@program((3, 5, (1, 2, 3)), (8, 5, (1, 2, 3)), (1, 5, (1, 2)))
def grown_or_returned_from(n, m, v):
    a = n
    xs = [a, 3]
    for _, _ in zip(range(3), v):
        if len(xs) > 2:
            if n < 5:
                return n
        else:
            xs.append(m)
        a = a - 1
    return a


@program((2, 5), (2, 1), (3, 7))
def grown_in_a_loop_and_in_a_loop_of_a_branch(m, x):
    xs = [m, 3]
    for _ in tf.range(m % 3):
        xs.append(x)
    if x > 3:
        for _ in tf.range(m % 3):
            xs.append(x)
    return tf.stack(xs)


@program((2, [1, 2, 3]), (2, [1]), (0, [3]))
def copies_that_an_iteration_makes_longer(n, more):
    xs = [n]
    for x in more[1:]:
        xs.append(x)
    total = 0
    for i in range(n):
        longer = list(xs)
        longer.append(i)
        longer.append(i)
        total += sum(longer)
    return total


@program(2, 0)
def copies_of_a_list_that_the_loop_makes_longer(n):
    xs = [n]
    total = 0
    for i in range(n):
        xs.append(i)
        longer = list(xs)
        longer.append(i)
        longer.append(i)
        total += sum(longer)
    return total + sum(xs)


@program((2, [1, 2, 3]), (2, [1]), unknown=True)
def longer_behind_a_loop_that_returns(n, more):
    xs = [n]
    for x in more[1:]:
        xs.append(x)
        return n, xs[-1]
    xs.append(n)
    return n + 4, xs[-1]


@program((2, [1, 2, 3]), (2, [1]), unknown=True)
def sums_in_a_loop_in_a_loop(n, more):
    xs = [n]
    total = 0
    for i in range(n):
        for x in more[1:]:
            xs.append(x)
            if x > 1:
                total += len(xs + [i, i, x])
        longer = list(xs)
        while len(longer) < 5:
            longer.append(1)
        total += sum(longer)
    return total


CHANGES = "TypeError: changes in place that is an element of a list"


@program([1.0, -2.0, 3.0], refused=CHANGES)
def run_lengths(xs):
    runs = []
    for x in xs:
        if x > 0 or not runs:
            runs.append([x, 1.0])
        else:
            runs[-1][1] += 1
    return [run[1] for run in runs]


@program([1.0, -2.0, 3.0], refused=CHANGES)
def rows_that_change_after_they_are_appended(xs):
    rows = []
    for x in xs:
        row = [x, 0.0]
        rows.append(row)
        row[1] = x * 2
    return [row[1] for row in rows]


@program([1.0, -2.0, 3.0], refused=CHANGES)
def rows_that_change_while_the_loop_goes_over_them(xs):
    rows = []
    for x in xs:
        rows.append({"value": x})
    for row in rows:
        row["value"] = row["value"] * 2
    return [row["value"] for row in rows]


@program([1.0, -2.0, 3.0])
def rows_that_are_assigned_again(xs):
    rows = []
    for x in xs:
        rows.append([x, 0.0])
    for i in range(len(rows)):
        row = rows[i]
        row[1] = row[0] * 2
        rows[i] = row
    last = rows.pop(0)
    last[0] = last[1] + 1
    return [row[1] for row in rows], last[0]


@program([[1.0, 9.0], [3.0, 2.0], [5.0, 7.0]])
def stacked_along_another_axis(xs):
    rows = []
    for x in xs:
        rows.append(x)
    return tf.stack(rows, axis=1), tf.stack(rows, -1), tf.stack(axis=0, values=rows)


@program(["a", "b", "c"])
def texts_joined_by_tensorflow(texts):
    found = []
    for text in texts:
        found.append(text)
    return tf.strings.join(found, ", "), tf.strings.join(found)


@program((1, 5), (9, 5))
def popped_from_one_of_two(a, b):
    left, right = [a, a + 1], [b, b + 1]
    x = left.pop() if a > b else right.pop()
    return x, len(left), len(right)


@program((1, 5), (9, 5))
def appended_to_one_of_two(a, b):
    left, right = [a, a + 1], [b, b + 1]
    left.append(b) if a > b else right.append(a)
    return len(left), len(right)


@program((1, 5), (9, 5))
def added_from_one_of_two(a, b):
    left, right = [a, a + 1], [b, b + 1]
    total = 0
    total += left.pop() if a > b else right.pop(0)
    return total, len(left), len(right)


@program((1, 5), (9, 5))
def returned_from_one_of_two(a, b):
    left, right = [a, a + 1], [b, b + 1]
    return left.pop() if a > b else right.pop(0)


@program((1, 5), (5, 1))
def popped_deep_in_an_expression(a, b):
    left, right = [a, a + 1], [b, b + 1]
    both = [left.pop() if a > b else right.pop(), a]
    return both[0], len(left), len(right)


@program(121, 123)
def equal_to_its_reverse(n):
    digits = []
    while n > 0:
        digits.append(n % 10)
        n //= 10
    return digits == digits[::-1], digits != digits[::-1]


@program([5, 2], [5, 3], [5])
def equal_to_a_list_that_is_written_out(xs):
    found = []
    for x in xs:
        found.append(x)
    return 1 if found == [5, 2] else 0


@program([1, 2])
def two_grown_lists_are_equal(xs):
    one, other = [], []
    for x in xs:
        one.append(x)
        other.append(x)
    before = one == other
    other.append(7)
    return before, one == other


@program([[1, 2], [3, 4]], refused="TypeError: for a single row")
def ragged_stack_of_a_grown_list(m):
    rows = []
    for row in m:
        rows.append(row * 2)
    return tf.ragged.stack(rows)


@program([[1, 2], [3, 4]])
def ragged_from_grown_lists(m):
    rows, lengths = [], []
    for row in m:
        rows.append(row[: row[0]])
        lengths.append(tf.size(row[: row[0]]))
    return tf.RaggedTensor.from_row_lengths(tf.concat(rows, 0), tf.stack(lengths)).row_lengths()


@program([1, 1, 2])
def counted_by_a_tensor(xs):
    counts = [0, 0, 0]
    for x in xs:
        counts[x] += 1
    return counts


@program([[0, 2], [1, 1]])
def counted_in_rows(rows):
    counts = [0.0] * 3
    for row in rows:
        for x in row:
            counts[x] += 0.5
    return counts


@program(([1, 2, 3], 2), ([1, 2, 3], 0))
def swapped_items(xs, i):
    items = [xs[0], xs[1], xs[2]]
    items[0], items[i] = items[i], items[0]
    return items


@program([3, 1, 2], [1, 2, 3])
def sorted_by_selection(xs):
    items = [xs[0], xs[1], xs[2]]
    for i in range(3):
        least = i
        for j in range(i + 1, 3):
            if items[j] < items[least]:
                least = j
        items[i], items[least] = items[least], items[i]
    return items


@program([3, 1, 2, 0])
def sorted_by_bubbles(xs):
    items = list(xs)
    n = len(xs)
    for i in range(n):
        for j in range(n - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


@program(2, 0)
def lists_in_a_tuple(x):
    pair = ([], [])
    if x > 1:
        pair[0].append(x)
    else:
        pair[1].append(x)
    return pair


@program(([1.0, 3.0], 1))
def items_that_items_and_calls_are_added_to(xs, i):
    sums = [0.0, 0.0, 5.0]
    sums[i] += xs[0]
    sums[i + 1] -= xs[1]
    sums[0] += sums[i]
    sums[i] += tf.abs(xs[1])
    rows = [[1, 2], [3, 4]]
    rows[i][0] += rows[0][1]
    return sums, rows


@program(1)
def rows_that_are_extended_at_a_position_of_the_graph(i):
    rows = [[1], [2], [3]]
    second = rows[1]
    rows[i] += [5]
    return len(rows[0]), len(second)


@program(7)
def ways_to_change(n):
    ways = [1] + [0] * 10
    for coin in [1, 2, 5]:
        for total in range(coin, 11):
            ways[total] += ways[total - coin]
    return ways[n]


@program([[1, 2], [3, 4], [5, 6]])
def tensors_of_calls_and_arithmetic_unpacked(table):
    height, width = tf.shape(table)
    first, second = table[0] * 2
    total = first - second
    for left, right in tf.reshape(table, [3, 2]):
        total += left * right
    return total, height * width


@program([1.0, 2.0, 3.0], [4.0], unknown=True)
def a_list_as_long_as_a_tensor(xs):
    ones = [1] * len(xs)
    ones[0] = 5
    halves = len(xs) * [0.5]
    for i in range(len(xs)):
        halves[i] += xs[i]
    ones.append(7)
    total = 0.0
    for half in [0.5] * len(xs):
        total += half
    return ones, len(ones), halves, total, [[0] * len(xs) for _ in range(2)]


@program([1.0, 2.0, 3.0], [4.0], unknown=True)
def several_items_as_often_as_a_tensor_is_long(xs):
    pairs = [1, 2] * (len(xs) - 1)
    return sum(pairs), len(pairs), len([] * len(xs))


@program(tf.constant(1), tf.constant(-1), tf.constant(3))
def items_of_tuples(i):
    weights, pairs = (1.0, 2.0, 4.0), ((1, 2), (3, 4), (5, 6))
    total = 0.0
    for k in tf.range(3):
        total += weights[k]
    return total * weights[i], pairs[i][k % 2]


@program(tf.constant(0), tf.constant(2))
def items_of_a_list_of_the_function_around(i):
    rows = [10, 20]

    def pick(k):
        return rows[k]

    rows.append(30)
    return pick(i) + sum((lambda k: rows[k])(n) for n in range(2))


@program([[0.5, 1.5], [1.0, 2.0]], [[3.0]], unknown=True)
def rows_of_an_image(image):
    rows = []
    for line in image:
        row = []
        for x in line:
            steps = 0
            while x < 10.0 and steps < 5:
                x, steps = x * x + x, steps + 1
            row.append(x / 10.0)
        rows.append(row)
    return tf.stack(rows)


@program((3, 2.0), (1, 0.5))
def planes_of_rows(n, scale):
    planes = []
    for i in range(n):
        rows = []
        for j in range(n):
            row = []
            for k in range(2):
                row.append(scale * float(i * j + k))
            rows.append(row)
        planes.append(rows)
    return tf.convert_to_tensor(planes)


@program(3, 4)
def rows_of_numbers(n):
    rows = []
    for i in range(n):
        row = [i]
        for j in range(n - 1):
            row.append(i * j)
        rows.append(row)
    return tf.stack(rows)


@program([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [1.0, -1.0], [1.0, 0.0]], [[0.0, 1.0]])
def rows_that_an_inner_loop_takes_back(points):
    kept = []
    for point in points:
        while len(kept) >= 2:
            first, second = kept[-2], kept[-1]
            if first[0] + second[0] > point[0]:
                break
            kept.pop()
        kept.append(point)
    return tf.stack(kept)


@program([3, 1, 2], [2, 3, 1])
def finds_and_removes_the_largest(xs):
    items = list(tf.unstack(xs))
    best = max(items)
    place = items.index(best)
    items.remove(best)
    second = max(items)
    return best, place, second, items.count(second)


@program(2, 1)
def finds_a_tensor_among_numbers(x):
    numbers = [1, 2, 3]
    return numbers.index(x), numbers.count(x), [x, x * 2].index(x), (1, x, 1).count(1), ["a", "b"].index("b")


@program([3.0, 1.0, 2.0], [-3.0, 1.0, 2.0])
def removes_under_two_names(xs):
    items = list(tf.unstack(xs))
    others = items
    if xs[0] > 1:
        items.remove(tf.reduce_min(xs))
    else:
        items.remove(items[0])
    return tf.stack(others), len(items)


@program([3.0, 1.0, 2.0])
def sorts_by_removing(xs):
    left = [(x, i) for i, x in enumerate(tf.unstack(xs))]
    found = []
    while left:
        least = min(left)
        left.remove(least)
        found.append(least[1])
    return tf.stack(found)
