"""Padding that uses sizes where they are known."""

import tensorflow as tf


def pad_to(x, size, axis=0, value=0):
    shape = x.shape.as_list() if hasattr(x, "shape") else [len(x)]
    dynamic = tf.shape(x)
    if shape[axis] is not None:
        missing = max(size - shape[axis], 0)
    else:
        missing = tf.maximum(size - dynamic[axis], 0)
    paddings = [[0, 0] for _ in shape]
    paddings[axis] = [0, missing]
    x = tf.pad(x, paddings, constant_values=value)
    static = list(shape)
    static[axis] = size if isinstance(missing, int) else None
    x.set_shape(static)
    return x


@tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([2], tf.int32)])
def f(x, y):
    return (pad_to(x, 5), pad_to(y, 4, value=-1))


def drive():
    f(tf.ones([2, 3]), tf.constant([1, 2]))
