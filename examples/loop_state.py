"""Variables of a graph loop, which must keep their dtype and shape in every iteration."""

import tensorflow as tf


@tf.function
def last_volume(frames):
    """`volume` starts as the integer 0 and is float32 after one iteration."""
    volume = 0
    for frame in frames:
        volume = tf.reduce_mean(tf.abs(frame))
    return volume


@tf.function
def history(start, steps):
    """Collects every state of a random walk with `tf.concat`, so the shape grows."""
    states = tf.reshape(start, [1])
    for _ in tf.range(steps):
        states = tf.concat([states, states[-1:] + tf.random.normal([1])], 0)
    return states


@tf.function
def clipped(gradient, limit):
    """An `if` on a whole vector: TensorFlow can't choose one branch for all elements."""
    if tf.abs(gradient) > limit:
        gradient = tf.sign(gradient) * limit
    return gradient


if __name__ == "__main__":
    print(last_volume(tf.constant([[0.5, -2.0], [1.0, 0.0]])))
    print(history(tf.constant(0.0), tf.constant(4)))
    print(clipped(tf.constant([0.5, -3.0]), tf.constant(1.0)))
