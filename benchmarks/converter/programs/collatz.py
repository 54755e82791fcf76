"""The length of a Collatz sequence: a small branch in a loop of many turns."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def arguments() -> tuple[Any, ...]:
    return (tf.constant(6171),)


def plain(x):
    n = 0
    while x != 1:
        n += 1
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
    return n


def handwritten(x):
    def turn(x, n):
        x = tf.cond(x % 2 == 0, lambda: x // 2, lambda: 3 * x + 1)
        return x, n + 1

    _, n = tf.while_loop(lambda x, n: x != 1, turn, (x, tf.constant(0)))
    return n
