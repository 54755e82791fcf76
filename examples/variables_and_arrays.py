"""Variables, TensorArrays and tapes in a graph: made once, written by their results, asked once."""

import tensorflow as tf


@tf.function
def scaled(x):
    """A Variable in each trace."""
    factor = tf.Variable(2.0)
    return factor * x


@tf.function
def running_sum(values):
    """What `write` returns is thrown away, so the array stays empty."""
    sums = tf.TensorArray(tf.float32, size=tf.size(values))
    total = tf.constant(0.0)
    for i in tf.range(tf.size(values)):
        total += values[i]
        sums.write(i, total)
    return sums.stack()


weight = tf.Variable(1.5)


@tf.function
def two_gradients(x):
    """A tape that isn't persistent answers once."""
    with tf.GradientTape() as tape:
        loss = tf.square(weight * x)
        penalty = tf.abs(weight)
    return tape.gradient(loss, weight), tape.gradient(penalty, weight)


class Counter(tf.Module):
    def __init__(self):
        super().__init__()
        self.count = tf.Variable(0)

    @tf.function
    def step(self):
        """`=` puts a tensor in the Variable's place."""
        self.count = self.count + 1
        return self.count * 10


print(running_sum(tf.constant([1.0, 2.0, 3.0])))  # zeros
counter = Counter()
print(counter.step())
print(two_gradients(tf.constant(2.0)))
print(scaled(tf.constant(3.0)))
