"""A list of the shapes that were traced, looked at by a test."""

import tensorflow as tf

traced_shapes = []


@tf.function
def total(x):
    traced_shapes.append(tuple(x.shape))
    return tf.reduce_sum(x)


def drive():
    total(tf.ones([2]))
    total(tf.ones([2]))
    total(tf.ones([3]))
    assert traced_shapes == [(2,), (3,)]
