"""A generator sees what the loop over it changes in between."""

import tensorflow as tf

state = {"rate": 1.0}


def rates(count):
    for _ in range(count):
        yield state["rate"]


@tf.function
def scaled(x, rate):
    return x * rate


def drive():
    total = tf.constant(0.0)
    for rate in rates(4):
        total += scaled(tf.constant(2.0), tf.constant(rate))
        state["rate"] = rate * 0.5
    assert float(total) == 3.75
