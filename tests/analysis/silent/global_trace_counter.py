"""A global counter of traces around a step."""

import tensorflow as tf

retraces = 0


@tf.function
def step(x):
    global retraces
    retraces += 1
    return x * 2.0


def drive():
    step(tf.constant(1.0))
    step(tf.constant(2.0))
    assert retraces == 1
