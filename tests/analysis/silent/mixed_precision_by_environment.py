"""A setting from the environment decides on dtypes and a projection."""

import os

import tensorflow as tf

MIXED = bool(os.environ.get("MIXED"))


@tf.function
def f(x, y):
    if MIXED:
        x = tf.cast(x, tf.float16)
        y = tf.cast(y, tf.float16)
    return x * y


@tf.function
def g(x):
    if MIXED:
        x = x @ tf.ones([7, 7])
    return x


def drive():
    f(tf.ones([2]), tf.ones([2]))
    g(tf.ones([2, 3]))
