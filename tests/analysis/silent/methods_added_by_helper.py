"""A helper function extends whatever class it gets."""

import tensorflow as tf


def extend(cls, **methods):
    for name, method in methods.items():
        setattr(cls, name, method)


def install():
    extend(tf.Tensor, flatten=lambda self: tf.reshape(self, [-1]), argmax=tf.argmax)


install()


@tf.function
def best(x):
    return x.flatten().argmax()


def drive():
    return best(tf.ones([2, 3]))
