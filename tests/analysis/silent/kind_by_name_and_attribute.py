"""What a value is, by its class's name and its attributes."""

import tensorflow as tf


def total(x):
    if x.__class__.__name__ == "list":
        return tf.add_n(x)
    if hasattr(x, "values"):
        return tf.reduce_sum(x.values)
    if callable(x):
        return x()
    return tf.reduce_sum(x)


@tf.function
def f(x):
    return total(x)


def drive():
    t = tf.ones([3])
    f([t, t])
    f(t)
    f(tf.RaggedTensor.from_row_lengths([1.0, 2.0], [1, 1]))
