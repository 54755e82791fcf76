"""Methods that a library stores on tensors."""

import tensorflow as tf


def _numel(self):
    return tf.size(self)


def _double(self):
    return self * 2


for name, function in (("numel", _numel), ("double", _double)):
    setattr(tf.Tensor, name, function)


@tf.function
def f(x):
    return x.double() + tf.cast(x.numel(), tf.float32)


def drive():
    f(tf.ones([3]))
