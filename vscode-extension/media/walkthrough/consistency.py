"""The branches assign different dtypes, but a graph tensor has only one."""

import tensorflow as tf


@tf.function
def pick_action(q_values, epsilon):
    if tf.random.uniform([]) < epsilon:
        action = tf.random.uniform([], maxval=4, dtype=tf.int32)
    else:
        action = tf.argmax(q_values)
    return action


pick_action(tf.constant([0.1, 0.9, 0.3, 0.2]), tf.constant(0.1))
