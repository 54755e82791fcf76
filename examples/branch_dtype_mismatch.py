"""The branches of an `if` assign different dtypes to a name, but a tensor has only one dtype."""

import tensorflow as tf


@tf.function
def pick_action(q_values, epsilon):
    """Epsilon-greedy: argmax returns int64, but the random action is int32."""
    if tf.random.uniform([]) < epsilon:
        action = tf.random.uniform([], maxval=4, dtype=tf.int32)
    else:
        action = tf.argmax(q_values)
    return action


@tf.function
def penalty(violation):
    """The Python `0` becomes int32, but the other branch assigns float32."""
    if violation > 0.0:
        cost = tf.square(violation)
    else:
        cost = 0
    return cost


if __name__ == "__main__":
    print(pick_action(tf.constant([0.1, 0.9, 0.3, 0.2]), tf.constant(0.1)))
    print(penalty(tf.constant(-1.0)))
