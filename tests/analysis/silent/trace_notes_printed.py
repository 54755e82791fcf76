"""Prints that show when a function is traced, as guides do."""

import tensorflow as tf


@tf.function
def double(x):
    print("Tracing with", x)
    return x + x


@tf.function
def halve(x):
    print(f"Tracing halve for {x}")
    return x / 2.0


def drive():
    for value in (1.0, 2.0):
        double(tf.constant(value))
        halve(tf.constant(value))
