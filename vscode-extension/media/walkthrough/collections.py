"""A graph loop appends to a Python list, but its body is traced only once."""

import tensorflow as tf


@tf.function
def rollout(position, steps):
    distances = []
    for _ in tf.range(steps):
        position = position * 0.5
        distances.append(tf.abs(position))
    return tf.stack(distances)


rollout(tf.constant(8.0), tf.constant(3))
