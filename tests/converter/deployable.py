"""Constructs of Python that are to run wherever TensorFlow's graphs do: under XLA, in TensorFlow Lite, in a SavedModel.

Each is called with its arguments. `REFUSED` says what one of these can't run, as it can't under tf.function either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

c: Any = tf.constant  # pyright: ignore
CONSTRUCTS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
VECTOR = c([3.0, 1.0, 4.0, 1.0, 5.0])
TABLE = c([[1.0, 2.0, 0.5], [3.0, -4.0, 1.5]])


def construct(*arguments: Any) -> Callable[..., Any]:
    """The decorated function is called with these."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        CONSTRUCTS[function.__name__] = function, arguments
        return function

    return register


@construct(c(9.0), c(2.0))
def branches(x, y):
    if x > 10.0:
        y = x
    elif x > y:
        y, kind = x - y, 1
        while y > 1.0:
            if kind > 2:
                y = y / 4.0
            y = y / 2.0
            kind += 1
    else:
        y = y * 2.0
    return -y if y < 0.5 else y


@construct(VECTOR, c(4))
def iterations(xs, n):
    total = 0.0
    for i in tf.range(n):
        total += xs[i]
    for i in range(n):
        total += tf.cast(i, tf.float32) * xs[i]
    for i, x in enumerate(xs):
        total += x * i
    for weight in [1.0, 0.5, total]:
        for x, y in zip(xs, xs[1:]):  # noqa: B905, RUF007
            total += weight * x * y
    return total


@construct(TABLE)
def early_ends(rows):
    total = 0.0
    for row in rows:
        for x in row:
            if x < 0.0:
                continue
            if x > 2.5:
                break
            total += x
        if total > 100.0:
            return total
    while True:
        total = total * 2.0
        if total > 50.0:
            return total - 50.0


@construct(TABLE)
def stacked_rows(rows):
    sums, firsts = [], []
    for row in rows:
        sums.append([tf.reduce_sum(row), row[0], 1.0])
        if row[0] > 2.0:
            firsts.append(row)
            firsts.extend([row * 2.0])
    return tf.stack(sums), tf.concat(firsts, 0), firsts[-1]


@construct(c(9.0))
def growing(x):
    steps = []
    while x > 1.0:
        x = x / 2.0
        steps.append(x)
    return tf.stack(steps), steps[-1], len(steps)


@construct(VECTOR)
def counted_in_dict(xs):
    counts = {"small": 0, "large": 0, "last": None}
    for x in xs:
        if x > 2.0:
            counts["large"] += 1
        else:
            counts["small"] += 1
        counts["last"] = x
    return counts, (counts["small"] + counts["large"], None)


@construct(TABLE)
def products(rows):
    n, m = tf.shape(rows)[0], rows.shape[1]
    result = tf.zeros([n, n])
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += rows[i, k] * rows[j, k]
            result = tf.tensor_scatter_nd_update(result, [[i, j]], [total])
    return result


@construct(VECTOR, 3)
def recursive(xs, depth):
    if depth == 0:
        return xs[0] if xs[0] > xs[1] else xs[1]
    return recursive(xs, depth - 1) + recursive(tf.reverse(xs, [0]), depth - 1) * depth


@construct(VECTOR)
def printing(xs):
    total = 0.0
    for i, x in enumerate(xs):
        total += x
        print(f"{i}: {total:.2f}", "and", x)
    return total


@construct(VECTOR)
def asserting(xs):
    assert len(xs) > 0, "nothing"
    total = 1.0
    for x in xs:
        assert x > 0.0, f"{x} isn't positive"
        total *= x
    if total < 0.0:
        raise ValueError(f"negative: {total}")
    return total


@construct(VECTOR)
def gradient_of_bounded(xs):
    with tf.GradientTape() as tape:
        tape.watch(xs)
        state = xs[0]
        for x in xs:
            state = tf.sin(state) * x if x > 2.0 else state + x
    return tape.gradient(state, xs)


@construct(c(1.5))
def gradient_of_unbounded(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        while y < 40.0:
            y = y * x
    return tape.gradient(y, x)


@construct(VECTOR)
def comprehensions(xs):
    squares = [x * x for x in xs]
    large = [x for x in xs if x > 2.0]
    halves = tf.map_fn(lambda x: x / 2.0 if x > 2.0 else x, xs)
    return tf.stack(squares) + halves, tf.stack(large), sum(x for x in xs), max(xs), any(x > 4.5 for x in xs)


@construct(TABLE, c(1.0))
def lists_of_lists_that_are_joined(rows, least):
    large = [x for row in rows for x in row if x > least]
    ends = []
    for row in rows:
        kept = [x for x in row if x > least]
        for x in kept:
            ends.append(x)
        ends.extend(kept)
        ends = ends + kept[1:]
    return tf.stack(large), tf.stack(ends), len(ends), sorted(large)[0]


@construct(TABLE, c(1))
def chosen_functions(rows, place):
    total, function = 0.0, tf.sin
    for x in rows[0]:
        total += function(x)
        function = tf.nn.relu if total > 1.0 else tf.sin
    return function(rows) + [tf.cos, tf.sin][place](total)


@construct(c(["ab", "c", ""]))
def texts(words):
    joined, count = c(""), 0
    for word in words:
        if word == "":
            continue
        joined = joined + word + "-"
        count += tf.strings.length(word)
    return joined, count


class Account:
    def __init__(self, balance):
        self.balance, self.fees = balance, 0

    def add(self, amount):
        if amount > 2.0:
            self.balance += amount
        else:
            self.fees += 1


@construct(VECTOR)
def accounts(xs):
    account = Account(xs[0])
    for x in xs:
        account.add(x)
    return account.balance, account.fees


@construct(VECTOR)
def cleaned_up(xs):
    total, runs = 0.0, 0
    for x in xs:
        try:
            if x > 4.5:
                break
            total += x
        finally:
            runs += 1
    try:
        total = total / [1.0, 2.0][len([total]) + 5]
    except IndexError:
        total = 0.0
    return total, runs


@construct(VECTOR)
def optional(xs):
    best = place = None
    for i, x in enumerate(xs):
        if best is None or x > best:
            best, place = x, i
    if xs.shape[0] > 100:
        return None
    return (best, None), place


REFUSED: dict[str, dict[str, str]] = {
    "xla": {
        "gradient_of_unbounded": r"XLA can't compile .*maximum_iterations",
        "texts": r"XLA can't compile `texts`: it has no texts",
    },
    "lite": {
        "gradient_of_bounded": "EmptyTensorList",
        "gradient_of_unbounded": "TensorListPopBack",
        "lists_of_lists_that_are_joined": "EmptyTensorList",
        "texts": "StringLength",
    },
    "saved": {},
}
"""The constructs that one of them can't run, and what it says."""
