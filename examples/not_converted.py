"""Code that AutoGraph can't convert, and what that does to the control flow in it."""

import tensorflow as tf


@tf.function
def newton(x, tolerance):
    """A Python loop that is left by what a tensor says."""
    for _ in range(20):
        step = (x * x - 2.0) / (2.0 * x)
        x = x - step
        if tf.abs(step) < tolerance:
            break
    return x


@tf.function
def clipped_norm(gradient, limit):
    """A walrus keeps the whole function from being converted, so its `if` stays Python."""
    if (norm := tf.norm(gradient)) > limit:
        gradient = gradient * limit / norm
    return gradient


class Gate(tf.Module):
    def __init__(self, threshold):
        super().__init__()
        self.__threshold = threshold

    @tf.function
    def __call__(self, x):
        """So does a private name."""
        if tf.reduce_mean(x) > self.__threshold:
            x = tf.nn.relu(x)
        return x


@tf.function(autograph=False)
def flipped(x):
    """So does AutoGraph switched off."""
    return -x if tf.reduce_sum(x) < 0.0 else x


if __name__ == "__main__":
    print(newton(tf.constant(1.0), tf.constant(1e-4)))
    print(clipped_norm(tf.constant([3.0, 4.0]), tf.constant(1.0)))
    print(Gate(0.5)(tf.constant([1.0, -1.0])))
    print(flipped(tf.constant([1.0, -2.0])))
