"""A traced solver called with a function defined in each iteration: TensorFlow traces it for each one."""

import tensorflow as tf


@tf.function
def solve(x, field, steps):
    for _ in tf.range(steps):
        x = x - 0.1 * field(x)
    return x


def problem(scale):
    return lambda x: x * scale


def drive():
    results = []
    for scale in (1.0, 2.0):
        results.append(solve(tf.ones([2]), problem(scale), tf.constant(2)))
    for order in (1, 2):

        def field(x):
            return 2.0 * x**order

        results.append(solve(tf.ones([2]), field, tf.constant(2)))
    for rate in (1.0, 3.0):
        results.append(solve(tf.ones([2]), lambda x: x * rate, tf.constant(2)))
    assert [round(float(each[0]), 3) for each in results] == [0.81, 0.64, 0.64, 0.672, 0.81, 0.49]
