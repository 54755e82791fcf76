"""A method that is stored unless tensors have it."""

import tensorflow as tf


def patch_tensors():
    if not hasattr(tf.Tensor, "clip"):
        tf.Tensor.clip = lambda self, low, high: tf.clip_by_value(self, low, high)


patch_tensors()


@tf.function
def clipped(x):
    return x.clip(0.0, 1.0)


def drive():
    return clipped(tf.constant([-1.0, 2.0]))
