"""A graph loop appends to a Python list, but its body is traced only once."""

import tensorflow as tf


@tf.function
def rollout(start, steps):
    """Walks towards zero and collects the distance of every step."""
    position = start
    distances = []
    for _ in tf.range(steps):
        position = position * 0.5
        distances.append(tf.abs(position))
    return tf.stack(distances)


@tf.function
def positive_squares(values):
    """Selects elements with a tensor condition and a Python list."""
    kept = []
    for i in range(4):
        if values[i] > 0.0:
            kept.append(values[i] ** 2)
    return tf.stack(kept)


if __name__ == "__main__":
    print(rollout(tf.constant(8.0), tf.constant(3)))
    print(positive_squares(tf.constant([1.0, -2.0, 3.0, -4.0])))
