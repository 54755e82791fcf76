"""What follows an early return is for other inputs."""

import os

import tensorflow as tf

SINGLE = not os.environ.get("PAIR")


@tf.function
def f(x):
    if SINGLE:
        return x * 2.0
    a, b = x
    return a + b


@tf.function
def g(x, w):
    if not os.environ.get("PROJECT"):
        return x
    return x @ w


def drive():
    f(tf.ones([3, 4]))
    g(tf.ones([3, 4]), tf.ones([7, 2]))
