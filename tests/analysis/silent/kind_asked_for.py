"""A list, a dict or a tensor, told apart by isinstance."""

import tensorflow as tf


@tf.function
def f(x):
    if isinstance(x, (list, tuple)):
        a, b = x
        x = a * b
    elif isinstance(x, dict):
        x = x["a"] + x["b"]
    return tf.reduce_sum(x)


def drive():
    t = tf.ones([3, 4])
    f(t)
    f([t, t])
    f({"a": t, "b": t})
