"""Code that AutoGraph can't convert, so control flow on tensors fails in it."""

import tensorflow as tf


@tf.function
def newton(x, tolerance):
    """A Python loop with a `break` under a tensor condition."""
    for _ in range(20):
        step = (x * x - 2.0) / (2.0 * x)
        x = x - step
        if tf.abs(step) < tolerance:
            break
    return x


@tf.function
def clipped_norm(gradient, limit):
    """AutoGraph doesn't convert a function with a walrus, so its `if` runs in Python."""
    if (norm := tf.norm(gradient)) > limit:
        gradient = gradient * limit / norm
    return gradient


class Gate(tf.Module):
    def __init__(self, threshold):
        super().__init__()
        self.__threshold = threshold

    @tf.function
    def __call__(self, x):
        """A private name has the same effect."""
        if tf.reduce_mean(x) > self.__threshold:
            x = tf.nn.relu(x)
        return x


@tf.function(autograph=False)
def flipped(x):
    """Turning AutoGraph off has the same effect."""
    return -x if tf.reduce_sum(x) < 0.0 else x


if __name__ == "__main__":
    print(newton(tf.constant(1.0), tf.constant(1e-4)))
    print(clipped_norm(tf.constant([3.0, 4.0]), tf.constant(1.0)))
    print(Gate(0.5)(tf.constant([1.0, -1.0])))
    print(flipped(tf.constant([1.0, -2.0])))
