"""Instances of attrs classes share a trace: TensorFlow looks at their fields."""

import attr
import tensorflow as tf


@attr.s(frozen=True)
class Batch:
    x = attr.ib()
    n = attr.ib(default=1)


@attr.define
class State:
    x: tf.Tensor
    y: tf.Tensor


@tf.function
def f(b):
    return b.x * 2.0


@tf.function
def g(s):
    return State(s.x + s.y, s.y)


def drive():
    s = State(tf.constant(1.0), tf.constant(2.0))
    for i in range(20):
        f(Batch(tf.constant(float(i))))
        s = g(s)
