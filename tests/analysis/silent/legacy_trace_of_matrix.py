"""A matrix's trace, computed and printed by the graph."""

import tensorflow as tf


@tf.function
def regularized(matrix, rate):
    trace = tf.linalg.trace(matrix)
    tf.print("trace", trace)
    return matrix - rate * trace * tf.eye(2)


def drive():
    return regularized(tf.eye(2), tf.constant(0.1))
