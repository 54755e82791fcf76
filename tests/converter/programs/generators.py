"""Programs whose generators have branches and loops that a tensor decides about."""

from __future__ import annotations

import itertools

import tensorflow as tf
from differential import program


def floats(*values):
    return lambda: tf.constant(values)


def number(value):
    return lambda: tf.constant(value)


def positive(xs):
    for x in xs:
        if x > 0:
            yield x


def down_from(n):
    while n > 0:
        yield n
        n -= 1


def fibonacci():
    a, b = tf.constant(0), tf.constant(1)
    while True:
        yield a
        a, b = b, a + b


def doubled(n):
    for i in range(n):
        yield i * 2


def joined(xs, *others, first=100.0):
    yield from positive(xs)
    yield first
    for other in others:
        yield from positive(other)


class Walker:
    def __init__(self, place):
        self.place = place
        self.steps = 0

    def walk(self, goal):
        while self.place < goal:
            self.place += 1.5
            self.steps += 1
            yield self.place


class Positive:
    def __init__(self, xs):
        self.xs = xs

    def __iter__(self):
        for x in self.xs:
            if x > 0:
                yield x


@program(floats(1.0, -2.0, 3.0), floats(-1.0))
def what_a_branch_yields(xs):
    total, count = 0.0, 0
    for x in positive(xs):
        total += x
        count += 1
    return total, count


@program(number(4), number(0))
def what_a_while_yields(n):
    total = 0
    for i in down_from(n):
        total += i * i
    return total


@program(number(50), number(1))
def without_an_end(limit):
    total = 0
    for number in fibonacci():
        if number > limit:
            break
        if number % 2 == 0:
            total += number
    return total


@program(number(4), number(0))
def as_often_as_a_tensor_says(n):
    total = 0
    for value in doubled(n):
        if value == 4:
            continue
        total += value
    else:
        total += 100
    return total


@program(floats(1.0, -2.0, 3.0, 5.0), floats(-1.0, 1.0))
def returns_from_the_loop(xs):
    for x in positive(xs):
        if x > 2:
            return x
    return -1.0


@program(floats(1.0, -2.0, 3.0))
def collects_in_a_list(xs):
    found = []
    for x in positive(xs):
        found.append(x * 2)
    return tf.stack(found), len(found)


@program(number(0.0), number(9.0))
def changes_its_object(x):
    walker, total = Walker(x), 0.0
    for place in walker.walk(4.0):
        total += place
        if total > 4:
            walker.place += 1.0
    return walker.place, walker.steps, total


@program(floats(1.0, -2.0, 3.0))
def of_several_generators(xs):
    total = 0.0
    for i, x in enumerate(joined(xs, xs * 2, first=7.0)):
        total += i * x
    return total


@program(floats(1.0, -2.0, 3.0), floats(4.0, 5.0))
def an_iter_method(xs):
    total = 0.0
    for x in Positive(xs):
        total += x
    return total


@program(floats(1.0, -2.0, 3.0), floats(4.0, 5.0))
def of_all_items(xs):
    squares = [x * x for x in positive(xs)]
    return sum(positive(xs)), max(positive(xs)), tf.stack(squares), sum(x + 1 for x in positive(xs) if x > 2)


@program(number(50), number(1))
def up_to_the_first(limit):
    return any(f > limit for f in fibonacci()), all(f < limit for f in fibonacci() if f > 0)


@program(number(50), number(1))
def taken_while_small(limit):
    total = 0
    for f in itertools.takewhile(lambda f: f < limit, fibonacci()):
        total += f
    for f in itertools.islice(fibonacci(), 5):
        if f < limit:
            total += f
    return total


@program(floats(1.0, -2.0, 3.0))
def mapped_and_filtered(xs):
    total = 0.0
    for x in map(lambda x: x * x, filter(lambda x: x > 2, positive(xs))):
        total += x
    return total


@program(floats(1.0, -2.0, 3.0))
def in_the_order_of_the_text(xs):
    log = []

    def logged():
        log.append(0.0)

    total = 0.0
    for x in noting(xs, log):
        log.append(-x)
        total += x
        if total > 3:
            log.append(total)
            break
    logged()
    return tf.stack(log)


def noting(xs, log):
    log.append(10.0)
    for x in xs:
        if x > 0:
            log.append(x)
            yield x
            log.append(20.0)


@program(floats(1.0, -2.0, 3.0))
def begins_again_in_a_loop(xs):
    total = 0.0
    for factor in xs:
        for x in positive(xs):
            total += factor * x
            if total > 9:
                break
    return total


@program(floats(1.0, -2.0, 3.0))
def read_to_its_end(xs):
    items, total = positive(xs), 0.0
    for x in items:
        total += x
    for _ in items:
        total += 100.0
    return total


@program(floats(1.0, 2.0), unknown=True)
def of_unknown_length(xs):
    total = 0.0
    for row in rows(xs):
        total += row
    return total


def rows(xs):
    for x in xs:
        yield x * 2


def up_to(k):
    for i in range(k):  # noqa: UP028
        yield i


@program((2, 1), (5, 4), (0, 3))
def sums_into_a_shared_variable(n, m):
    total = n

    def bump(k):
        nonlocal total
        total = (total + k) % 13

    for _ in tf.range(m):
        for each in up_to(total):
            total = (total + each) % 14
        bump(2)
    return total
