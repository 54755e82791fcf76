"""Sums of a branch's or loop's argument, whose shape TensorFlow's optimizer loses if a zero is added to it first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import graphwright as gw
import pytest
import tensorflow as tf

SUMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "zero first": (lambda x: 0 + x + x, 3.0),
    "integers": (lambda x: 0 + x + x, 3),
    "a vector": (lambda x: 0.0 + x + x, [1.0, 2.0]),
    "of a list": (lambda x: sum([x, x], 0), 3.0),
    "times one": (lambda x: x * 1 + x, 3.0),
    "to the power of one": (lambda x: x**1 + x, 3.0),
    "reshaped": (lambda x: tf.reshape(x, []) + x, 3.0),
    "a vector transposed": (lambda x: tf.transpose(x) + x, [1.0, 2.0]),
    "added by TensorFlow": (lambda x: tf.add_n([0 + x, x]), 3.0),
    "a matrix transposed": (lambda x: 0 + tf.transpose(x) + x, [[1.0, 2.0], [3.0, 4.0]]),
    "broadcast": (lambda x: tf.zeros([2, 2]) + x + x, [1.0, 2.0]),
    "reversed": (lambda x: x[::-1] + x, [1.0, 2.0]),
}


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("compiled", [False, True])
def test_an_argument_is_added_to_itself(name: str, compiled: bool):
    add, value = SUMS[name]

    def branch(x, flag):
        y = add(x)
        if flag:
            y = add(x)
        return y

    def loop(x, flag):
        y = add(x)
        for _ in tf.range(tf.cast(flag, tf.int32)):
            y = add(y)
        return y

    for program in (branch, loop):
        for flag in (True, False):
            arguments = tf.constant(value), tf.constant(flag)
            traced = gw.function(program, jit_compile=compiled)(*arguments)
            assert traced.numpy().tolist() == program(*arguments).numpy().tolist()
