"""Programs in which a number that Python counts with meets tensors of other dtypes."""

from __future__ import annotations

import tensorflow as tf
from differential import program


@program([1.0, -2.0, 3.0], unknown=True)
def counter_beside_floats(xs):
    n = 0
    for x in xs:
        if x > 0:
            n += 1
    return (
        xs * n,
        n * xs,
        xs - n,
        xs / n,
        n / 2,
        n * 0.5,
        0.5 * n,
        1.0 / (n + 1),
        0.5**n,
        n**2,
        n // 2,
        n % 2,
        n > 0.5,
        xs > n,
        n == 1.0,
    )


@program([1.0, -2.0, 3.0], unknown=True)
def counter_inside_of_its_loop(xs):
    n = 0
    total = 0.0
    for x in xs:
        n += 1
        total += x * n
        total = total / n
    return total, n


@program([1.0, -2.0, 3.0], unknown=True)
def mean_of_what_was_kept(xs):
    kept = []
    for x in xs:
        if x > 0:
            kept.append(x * 2)
    return sum(kept) / len(kept), xs * len(kept), len(kept) * 0.5


@program([1.0, -2.0, 3.0], unknown=True)
def counted_in_two_loops(xs):
    n = 0
    for x in xs:
        for y in xs:
            if y > x:
                n += 1
    m = n / 9
    return m > 0.3, xs * m


@program(2.0, -1.0)
def number_that_a_branch_chooses(x):
    k = 1 if x > 0 else 2
    j = k * 3 + 1
    return x * j, j - x, -k * x, x + True * k


@program([1.0, -2.0, 3.0], unknown=True)
def positions_beside_items(xs):
    total = 0.0
    for i, x in enumerate(xs):
        total += x * i
    for i in range(tf.shape(xs)[0]):
        total += xs[i] * i
    return total, xs + i


@program(2.0)
def beside_a_wide_float(x):
    wide = tf.cast(x, tf.float64)
    n = 0
    s = 0.0
    for i in range(tf.constant(3)):
        n += i
        s += 0.5
    return wide * n, wide * s, wide + i


@program([1.0, -2.0, 3.0], unknown=True)
def position_of_the_largest(xs):
    best = 0
    for i in range(tf.shape(xs)[0]):
        if xs[i] > xs[best]:
            best = i
    return best, xs[best], tf.cast(best, tf.int64) + best, xs * best


@program([1.0, -2.0, 3.0], unknown=True)
def given_to_functions(xs):
    n = 0
    for _ in xs:
        n += 1
    sizes = tf.fill([n], 2.0), tf.ones([n, 2]), tf.range(n), tf.one_hot(n, 5)
    return sizes, tf.maximum(xs, n), max(n, 1), min(xs[0], n), tf.add(xs, n), tf.where(xs > 0, xs, n)


@program([1.0, -2.0, 3.0])
def stays_exact_beside_floats(xs):
    n = 16777216
    total = 0.0
    for x in xs:
        n += 1
        total += x * n
    return n, total > 0


@program([1.0, -2.0, 3.0], unknown=True)
def learning_rate_that_decays(xs):
    step = 0
    rate = 0.1
    for _ in xs:
        rate = 0.1 * 0.9**step
        step += 1
    return rate, 1 / (1 + 0.5 * step), 100.0 * step / len(xs)


@program([1.0, -2.0, 3.0], unknown=True)
def corrected_for_a_short_start(xs):
    mean, steps, fixed = 0.0, 0, 0.0
    for x in xs:
        steps += 1
        mean = 0.9 * mean + (1 - 0.9) * x
        fixed = mean / (1 - 0.9**steps)
    return fixed


@program([1.0, -2.0, 3.0])
def of_every_width(xs):
    n = 0
    for x in xs:
        if x > 0:
            n += 1
    double, half, brain = tf.cast(xs, tf.float64), tf.cast(xs, tf.float16), tf.cast(xs, tf.bfloat16)
    long, short, whole = tf.cast(xs, tf.int64), tf.cast(tf.abs(xs), tf.uint8), tf.cast(xs, tf.complex64)
    return double * n, n - half, brain * n, long // n, n - long, short * n, n * whole, double**n


@program([1.0, -2.0, 3.0], unknown=True)
def numbers_in_lists(xs):
    counts = []
    for x in xs:
        counts.append(1 if x > 0 else 2)
    total = 0.0
    for count in counts:
        total += count * xs[0]
    for i, count in enumerate(reversed(counts)):
        total -= count * i * xs[1]
    last = counts.pop()
    return total, sum(counts) * xs, max(counts) * xs, last * xs, counts[0] * xs


@program([1.0, -2.0, 3.0], unknown=True)
def positions_of_every_kind(xs):
    total = 0.0
    for i, x in zip(range(3), xs):
        total += i * x
    for i in range(len(xs) - 1, -1, -1):
        total += i * xs[i] * 0.5**i
    for i in reversed(range(tf.size(xs))):
        total += i * xs[i] / (i + 1)
    return total, sum(range(tf.size(xs))) * xs


@program([1.0, -2.0, 3.0], unknown=True)
def what_pythons_functions_give(xs):
    whole = int(xs[2])
    return (
        xs * whole,
        2.0 * whole,
        float(tf.size(xs)) * tf.cast(xs, tf.float64),
        round(whole / 2) * xs,
        min(whole, 0.5) * xs,
    )


class Mean:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def add(self, x):
        self.count += 1
        self.total += x * self.count


@program([1.0, -2.0, 3.0], unknown=True)
def numbers_on_an_object(xs):
    mean = Mean()
    for x in xs:
        mean.add(x)
    return mean.total / mean.count, 0.5 * mean.count


@program([1, 2, 3])
def is_true_and_is_false(xs):
    on, before, after = False, 0, 0
    for x in xs:
        if on is False:
            before += x
        if on is True:
            after += x
        if x > 1:
            on = True
    return before, after


@program(3, 0)
def a_count_beside_a_number_that_gets_wider(n):
    count, share = 0, 1.0
    for _ in tf.range(n):
        count += 1
        share = count / 10 * share
    return share, count


@program([3, 1, 2], [])
def constants_of_counters(xs):
    count, total = 0, 0.0
    for x in xs:
        count += 1
        total += 0.5
    mixed = tf.constant([count, total])
    wide = tf.constant(count, tf.float32)
    filled = tf.constant(count, shape=[2, 2])
    return tf.constant(count), mixed, wide, filled, tf.constant(value=[[count, 1], [2, count]], dtype=tf.int64)


@program([1.0, 2.0, 3.0], [5.0, 0.0])
def signs_of_numbers(xs):
    count = 0
    for x in xs:
        if x > 1:
            count += 1
    small = not (xs[0] > 1)
    numbers = +count, ~count, +small, -small, +(count * 2.5)
    return numbers, bool(count) + 1, bool(xs[0]) * 2, sum([bool(count), small])
