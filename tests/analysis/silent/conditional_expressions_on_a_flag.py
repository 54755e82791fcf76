"""A flag decides in conditional expressions."""

import sys

import tensorflow as tf

two = len(sys.argv) > 30


def pick(x):
    y = x[0] if two else x
    z = x[1] + 1 if two else None
    if z is None:
        return y
    return y + z


@tf.function
def f(x):
    return pick(x)


def drive():
    f(tf.ones([3]))
