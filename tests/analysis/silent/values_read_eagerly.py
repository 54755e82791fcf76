"""What is read with numpy only where code runs eagerly."""

import os

import tensorflow as tf

EAGER = bool(os.environ.get("EAGER"))


def show(x):
    if EAGER:
        print(x.numpy())
        return float(x)
    return x


@tf.function
def f(x):
    return show(x)


def drive():
    f(tf.constant(1.0))
