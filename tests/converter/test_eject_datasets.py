"""Loops over datasets in ejected code that end early, or count."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf
from agreement import plain

c: Any = tf.constant
PAIRS: Any = tf.data.Dataset.from_tensor_slices((tf.range(5.0), c([1.0, -1.0, 2.0, 0.0, 5.0])))
NONE: Any = PAIRS.take(0)
LIMITS = (2.0, -1.0, 30.0)


def stops(limit):
    total, kept = 0.0, []
    for x, y in PAIRS.repeat():
        if y < 0:
            continue
        total += x + y
        kept.append(x)
        if total > limit:
            break
    return total, kept


def returns(limit):
    for step, (x, y) in enumerate(PAIRS.repeat()):
        if x + y > limit / 4:
            return step, x
        if step > 20:
            break
    return -1, 0.0


def counts(limit):
    total = 0.0
    for step, (x, _) in enumerate(PAIRS.batch(2)):
        if step > 0 and total < limit:
            total += tf.reduce_sum(x) * tf.cast(step, tf.float32)
    return total


def never_begins(limit):
    found = 7.0
    for x, _ in NONE:
        if x > limit:
            found = x
            break
    return found


@contextlib.contextmanager
def scaled(factor: float) -> Iterator[float]:
    yield factor * 2


def within(limit):
    total = 0.0
    with scaled(1.5) as factor:
        for x, _ in PAIRS:
            if x > limit:
                break
            total += x * factor
    return total


@pytest.mark.parametrize("function", [stops, returns, counts, never_begins, within])
def test_loops_over_datasets_do_the_same(function: Callable[..., Any]) -> None:
    signature = [tf.TensorSpec([], tf.float32)]
    text = gw.to_code(function, style="tensorflow", signature=signature)
    names: dict[str, Any] = {**function.__globals__}
    exec(compile(text, "<ejected>", "exec"), names)
    made = names[function.__name__]
    for subject in (made, tf.function(made, autograph=False)):
        for limit in LIMITS:
            np.testing.assert_equal(plain(subject(c(limit))), plain(function(c(limit))))


def last_of_none(limit):
    for x, _ in NONE:
        last = x
        if x > limit:
            break
    return last  # pyright: ignore[reportPossiblyUnboundVariable]


def test_a_name_without_a_value_fails() -> None:
    text = gw.to_code(last_of_none, style="tensorflow", signature=[tf.TensorSpec([], tf.float32)])
    names: dict[str, Any] = {**globals()}
    exec(compile(text, "<ejected>", "exec"), names)
    with pytest.raises(tf.errors.InvalidArgumentError, match="the loop has no iterations"):
        names["last_of_none"](c(1.0))
