"""Reductions that a package adds to tensors and variables as methods."""

import tensorflow as tf

for base in (tf.Tensor, tf.Variable):
    base.mean = tf.math.reduce_mean
    base.std = tf.math.reduce_std


@tf.function
def normalized(x):
    return (x - x.mean()) / (x.std() + 1e-6)


def drive():
    return normalized(tf.constant([1.0, 2.0, 3.0]))
