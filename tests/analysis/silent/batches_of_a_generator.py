"""A generator of the project's own gives batches of one shape to a step."""

import numpy as np
import tensorflow as tf


def batches(data, size):
    order = np.random.permutation(len(data))
    for start in range(0, len(data) - size + 1, size):
        yield tf.constant(data[order[start : start + size]])


def windows(values, width):
    for start in range(len(values) - width):
        yield values[start : start + width]


@tf.function
def step(x):
    return tf.reduce_sum(x * x)


def drive():
    data = np.random.rand(64, 4).astype("float32")
    for _epoch in range(3):
        for batch in batches(data, 8):
            step(batch)
    for window in windows(tf.range(10.0), 3):
        step(window)
    assert sum(1 for _ in batches(data, 32)) == 2
