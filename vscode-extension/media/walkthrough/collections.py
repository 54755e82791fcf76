"""A Python list that grows in a loop of the graph: the loop's body is traced once."""

import tensorflow as tf


@tf.function
def rollout(position, steps):
    distances = []
    for _ in tf.range(steps):
        position = position * 0.5
        distances.append(tf.abs(position))
    return tf.stack(distances)


rollout(tf.constant(8.0), tf.constant(3))
