"""An array is filled from one of two tensors, in a conditional expression."""

import tensorflow as tf


@tf.function
def f(a, b, c):
    ta = tf.TensorArray(tf.float32, size=3)
    ta = ta.unstack(a) if c else ta.unstack(b)
    return ta.stack()


def drive():
    f(tf.ones([3]), tf.zeros([3]), True)
    f(tf.ones([3]), tf.zeros([3]), tf.constant(False))
