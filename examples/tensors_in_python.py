"""Tensors where Python requires numbers, and tensors stored outside their graph."""

import tensorflow as tf

LEARNING_RATES = [0.1, 0.01, 0.001]


@tf.function
def rate_for(epoch):
    """A tensor as the index of a Python list."""
    return LEARNING_RATES[tf.minimum(epoch // 10, 2)]


@tf.function
def masked(tokens):
    """Assigns to an element, as in NumPy."""
    tokens = tf.identity(tokens)
    tokens[0] = -1
    return tokens


@tf.function
def weighted(scores):
    """`enumerate` makes Python iterate over the tensor."""
    total = tf.constant(0.0)
    for position, score in enumerate(scores):
        total += score / (position + 1.0)
    return total


class MovingAverage(tf.Module):
    """Stores a graph tensor in an attribute, which is set only while tracing."""

    def __init__(self):
        super().__init__()
        self.average = tf.constant(0.0)

    @tf.function
    def update(self, value):
        self.average = 0.9 * self.average + 0.1 * value
        return self.average


if __name__ == "__main__":
    average = MovingAverage()
    for value in (1.0, 2.0, 3.0):
        print(average.update(tf.constant(value)))
    print(rate_for(tf.constant(12)))
    print(masked(tf.constant([5, 6, 7])))
    print(weighted(tf.constant([3.0, 2.0])))
