"""Many calls of small functions, each with one branch: what a call costs while tracing."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

CALLS = 8


def arguments() -> tuple[Any, ...]:
    return (tf.constant(0.7),)


def absolute(x):
    if x < 0.0:
        x = -x
    return x


def clipped(x, limit):
    return limit if x > limit else x


def leaky(x):
    if x > 0.0:
        return x
    return 0.1 * x


def step(x, i):
    return leaky(clipped(absolute(x - 0.1 * i), 2.0) - 0.05) * 1.1


def plain(x):
    for i in range(CALLS):
        x = step(x, float(i))
    return x


def absolute_by_hand(x):
    return tf.cond(x < 0.0, lambda: -x, lambda: x)


def clipped_by_hand(x, limit):
    return tf.cond(x > limit, lambda: tf.constant(limit), lambda: x)


def leaky_by_hand(x):
    return tf.cond(x > 0.0, lambda: x, lambda: 0.1 * x)


def step_by_hand(x, i):
    return leaky_by_hand(clipped_by_hand(absolute_by_hand(x - 0.1 * i), 2.0) - 0.05) * 1.1


def handwritten(x):
    for i in range(CALLS):
        x = step_by_hand(x, float(i))
    return x
