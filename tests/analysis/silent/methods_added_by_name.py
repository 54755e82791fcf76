"""Methods that are stored on tensors out of a table."""

import tensorflow as tf

REDUCTIONS = {"sum": tf.reduce_sum, "max": tf.reduce_max, "min": tf.reduce_min}

for name, function in REDUCTIONS.items():
    setattr(tf.Tensor, name, function)


@tf.function
def spread(x):
    return x.max() - x.min() + x.sum()


def drive():
    return spread(tf.constant([1.0, 2.0, 3.0]))
