"""A flag of the program says whether a function gets a pair."""

import sys

import tensorflow as tf


@tf.function
def f(x, two):
    if two:
        a, b = x
        return a + b
    return tf.reduce_sum(x, 0)


def drive():
    f(tf.ones([3, 4]), len(sys.argv) > 5)
