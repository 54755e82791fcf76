"""Programs as people write them in eager style, each with the arguments that it is called with."""

# ruff: noqa: RET505, B905
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

c: Any = tf.constant  # pyright: ignore
PROGRAMS: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {}


def program(*calls: Any) -> Callable[..., Any]:
    """The decorated function is called once with each of `calls`."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[function.__name__] = function, [call if isinstance(call, tuple) else (call,) for call in calls]
        return function

    return register


@program(c(17), c(16))
def is_prime(n):
    i = 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return n > 1


@program((c(12), c(18)), (c(7), c(3)))
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@program(c(10), c(0))
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program(c([5, 2, 8, 1]))
def running_maximum(xs):
    best = xs[0]
    found = []
    for x in xs:
        if x > best:
            best = x
        found.append(best)
    return tf.stack(found)


@program((c([3, 1, 2]), c(2)), (c([3, 1, 2]), c(9)))
def index_of(xs, wanted):
    for i, x in enumerate(xs):
        if x == wanted:
            return i
    return -1


@program(c([1.0, 2.0, 4.0]))
def moving_average(xs):
    mean = 0.0
    for i, x in enumerate(xs):
        mean += (x - mean) / tf.cast(i + 1, tf.float32)
    return mean


@program((c(2.0), c(5)), (c(2.0), c(0)))
def power(x, n):
    result = 1.0
    while n > 0:
        if n % 2 == 1:
            result *= x
        x *= x
        n //= 2
    return result


@program((c([1.0, 2.0]), c([[2.0, 0.0], [0.0, 3.0]])))
def power_iteration(v, m):
    for _ in range(20):
        v = tf.linalg.matvec(m, v)
        v = v / tf.norm(v)
    return v


@program((c([1, 3, 5, 7, 9]), c(7)), (c([1, 3, 5, 7, 9]), c(4)))
def binary_search(xs, wanted):
    low, high = 0, tf.size(xs) - 1
    while low <= high:
        middle = (low + high) // 2
        if xs[middle] == wanted:
            return middle
        elif xs[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@program(c([3.0, -1.0, 0.5]))
def leaky_relu(xs):
    return tf.map_fn(lambda x: x if x > 0 else 0.1 * x, xs)


@program((c(3.0), c(0.1)))
def descend(x, rate):
    steps = 0
    while tf.abs(x) > 0.5:
        x -= rate * 2 * x
        steps += 1
    return x, steps


@program((tf.ones([3, 2]), c(2)))
def unroll(xs, n):
    state = tf.zeros([2])
    outputs = []
    for x in xs:
        for _ in range(n):
            state = tf.tanh(state + x)
        outputs.append(state)
    return tf.stack(outputs)


@program(c([1, -2, 3, -4]))
def split_signs(xs):
    positive, negative = 0, 0
    for x in xs:
        if x > 0:
            positive += x
        else:
            negative += x
    return {"positive": positive, "negative": negative}


@program(c([1.0, -2.0, 3.0]))
def totals(xs):
    found = {"sum": tf.constant(0.0), "count": tf.constant(0)}
    for x in xs:
        if x > 0:
            found["sum"] = found["sum"] + x
            found["count"] = found["count"] + 1
        else:
            found["sum"] = found["sum"] - x
    return found


@program(c(5), c(0))
def doubled_counter(n):
    s = 0
    for k in tf.range(n):
        k = k * 2
        s += k
    return s


@program(c(40), c(1))
def halve(k):
    steps = 0
    while k != 1:
        k = k // 2
        steps += 1
    return k, steps


@program(c([1, 2]))
def grow(xs):
    while tf.size(xs) < 10:
        xs = tf.concat([xs, xs + 1], 0)
    return xs


@program((c([[1.0, 2.0]]), c(3)))
def stack_rows(row, n):
    rows = row[:0]
    for i in tf.range(n):
        rows = tf.concat([rows, row * tf.cast(i, tf.float32)], 0)
    return rows


@program(c(4))
def countdown(n):
    found = tf.zeros([0], tf.int32)
    while n > 0:
        found = tf.concat([found, [n]], 0)
        n -= 1
    return found


@program(c(2.0), c(-2.0))
def sign_pair(x):
    if x > 0:
        return x, 1
    return -x, -1


@program(c(2.0), c(-2.0), c(0.0))
def three_ways(x):
    if x > 0:
        name = 1
    elif x < 0:
        name = -1
    else:
        name = 0
    return name


@program((c(1.0), c(2.0)), (c(3.0), c(2.0)))
def ordered(a, b):
    if a > b:
        a, b = b, a
    return tf.stack([a, b])


@program(c([1.0, 2.0, 3.0]))
def normalized(xs):
    total = tf.reduce_sum(xs)
    assert total > 0, "nothing to divide by"
    return xs / total


@program(c([[1, 2], [3, 4]]))
def trace_of(m):
    total = 0
    for i in range(2):
        total += m[i][i]
    return total


@program(c([[1, 2, 3], [4, 5, 6]]))
def flatten(m):
    found = []
    for row in m:
        for x in row:
            found.append(x * 2)
    return tf.stack(found)


@program((c(1.0), c(1.0)), (c(4.0), c(4.0)))
def quadrant(x, y):
    inside = x * x + y * y < 4.0
    if inside and x > 0:
        return 1
    if not inside or y < 0:
        return 2
    return 3


@program(c([4, 6, 7, 8]))
def first_odd(xs):
    found = -1
    for x in xs:
        if x % 2 == 1:
            found = x
            break
    return found


@program(c([1, 2, 3, 4, 5, 6]))
def skip_and_stop(xs):
    total = 0
    for x in xs:
        if x % 2 == 0:
            continue
        if x > 4:
            break
        total += x
    return total


@program(c([1, 2, 3]), c([1, 9, 3]))
def all_small(xs):
    for x in xs:
        if x > 5:
            result = False
            break
    else:
        result = True
    return result


@program((c([1.0, 2.0, 3.0]), c([0.5, 0.5, 0.5])))
def dot(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys):
        total += x * y
    return total


@program((c([1.0, 2.0]), c(3)))
def polynomial(coefficients, x):
    total = 0.0
    for a in reversed(coefficients):
        total = total * tf.cast(x, tf.float32) + a
    return total


@program(c(0.5))
def geometric(x):
    term, total = 1.0, 0.0
    while term > 1e-3:
        total += term
        term *= x
    return total


@program((c([0.1, 0.9]), c(True)), (c([0.1, 0.9]), c(False)))
def dropout(xs, training):
    if training:
        xs = xs * 2.0
    return xs


@program((tf.ones([2, 3]), True), (tf.ones([2, 3]), False))
def mode(x, training):
    if training:
        x = x + 1.0
    else:
        x = x - 1.0
    if tf.reduce_sum(x) > 3.0:
        x = x / 2.0
    return x


@program(c([2.0, 4.0]))
def with_helper(xs):
    def half(x):
        if x > 3.0:
            return x / 2.0
        return x

    return tf.stack([half(xs[0]), half(xs[1])])


@program(c([1.0, 2.0, 3.0]))
def comprehension(xs):
    return [x * 2.0 for x in xs]


@program(c([1.0, 2.0, 3.0]))
def summed(xs):
    return sum(xs) / 3.0, max(xs), min(xs)


@program(c([3, 1, 2]))
def bubble(xs):
    for i in range(3):
        for j in range(2 - i):
            if xs[j] > xs[j + 1]:
                a, b = xs[j], xs[j + 1]
                xs = tf.tensor_scatter_nd_update(xs, [[j], [j + 1]], tf.stack([b, a]))
    return xs


@program((c([[0.0, 1.0], [1.0, 0.0]]), c(3)))
def matrix_power(m, n):
    result = tf.eye(2)
    for _ in tf.range(n):
        result = result @ m
    return result


@program((c(1.0), c(0.0)), (c(1.0), c(2.0)))
def safe_divide(a, b):
    return a / b if b != 0 else 0.0


@program(c(3), c(-3))
def clamp(x):
    x = x if x > 0 else 0
    return x if x < 2 else 2


@program((c([1.0, 5.0, 2.0]), c(3.0)))
def count_above(xs, limit):
    count = 0
    for x in xs:
        count += 1 if x > limit else 0
    return count


@program(c([1.0, 2.0, 3.0, 4.0]))
def variance(xs):
    mean, square, n = 0.0, 0.0, 0
    for x in xs:
        n += 1
        step = x - mean
        mean += step / tf.cast(n, tf.float32)
        square += step * (x - mean)
    return square / tf.cast(n, tf.float32)


@program((c([1, 2, 3]), c([2, 3, 4])))
def common(xs, ys):
    count = 0
    for x in xs:
        for y in ys:
            if x == y:
                count += 1
                break
    return count


@program(c(6), c(7))
def collatz_with_limit(x):
    for i in range(20):
        if x == 1:
            return i
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
    return -1


@program(c(9.0), c(2.0))
def newton_root(x):
    y = x
    while tf.abs(y * y - x) > 1e-3:
        y = (y + x / y) / 2.0
    return y


@program(c([[1.0, 2.0], [3.0, 4.0]]))
def row_dicts(rows):
    first = {"x": rows[0], "y": rows[1]}
    if tf.reduce_sum(first["x"]) < tf.reduce_sum(first["y"]):
        first["x"], first["y"] = first["y"], first["x"]
    return first


@program(c(1.0), c(-1.0))
def chosen_key(x):
    found = {}
    if x > 0:
        found["value"] = x
    else:
        found["value"] = -x
    return found


@program(c(1.0), c(-1.0))
def items_of_a_list(x):
    pair = [x, x]
    if x > 0:
        pair[0] = x * 2.0
    else:
        pair[1] = x * 3.0
    return pair


@program((c([1.0, 2.0, 3.0]), c(2)))
def last_of(xs, n):
    last = 0.0
    for i in range(n):
        last = xs[i]
    return last, n


@program(c([1, 2, 3]))
def weighted(xs):
    total = 0
    for i in range(len(xs)):
        total += xs[i] * (i + 1)
    return total


@program((c([0.0, 1.0]), c(1.0)))
def relax(v, target):
    error = tf.constant(1.0)
    rounds = 0
    while error > 0.1 and rounds < 50:
        v = v + 0.5 * (target - v)
        error = tf.reduce_max(tf.abs(target - v))
        rounds += 1
    return v, rounds


@program(c([2, 0, 1]))
def permute(order):
    values = tf.constant([10, 20, 30])
    found = []
    for i in order:
        found.append(values[i])
    return tf.stack(found)


@program(c([1, 1, 2, 3, 3]))
def runs(xs):
    count = 1
    for i in range(1, 5):
        if xs[i] != xs[i - 1]:
            count += 1
    return count


@program((c(5), c(2)), (c(2), c(5)))
def distance(a, b):
    steps = 0
    while True:
        if a == b:
            return steps
        if a > b:
            a -= 1
        else:
            a += 1
        steps += 1


@program((c([1.0, 2.0, 3.0, 4.0]), 2))
def chunks(xs, size):
    found = []
    for i in range(0, 4, size):
        part = xs[i : i + size]
        if tf.reduce_sum(part) > 4.0:
            part = part * 0.0
        found.append(part)
    return tf.concat(found, 0)


@program(c([0.2, 0.7]))
def entropy(ps):
    total = 0.0
    for p in ps:
        if p > 0:
            total -= p * tf.math.log(p)
    return total


@program((c([[1.0, 0.0], [0.0, 1.0]]), c([1.0, 2.0])))
def nearest(centers, point):
    best, at = tf.constant(1e9), -1
    for i, center in enumerate(centers):
        d = tf.reduce_sum((center - point) ** 2)
        if d < best:
            best, at = d, i
    return best, at


@program((c([1, 2, 3, 4]), c(2)))
def parity_counts(xs, n):
    even = tf.zeros([2], tf.int32)
    for x in xs:
        if x % n == 0:
            even = even + tf.constant([1, 0])
        else:
            even = even + tf.constant([0, 1])
    return even


@program(c("abc"), c("x"))
def long_text(text):
    if tf.strings.length(text) > 2:
        text = text + "!"
    return text
