"""Variables, TensorArrays and tapes that are used wrongly in a graph."""

import tensorflow as tf


@tf.function
def scaled(x):
    """Creates a Variable in each trace."""
    factor = tf.Variable(2.0)
    return factor * x


@tf.function
def running_sum(values):
    """Discards the result of `write`, so the array stays empty."""
    sums = tf.TensorArray(tf.float32, size=tf.size(values))
    total = tf.constant(0.0)
    for i in tf.range(tf.size(values)):
        total += values[i]
        sums.write(i, total)
    return sums.stack()


weight = tf.Variable(1.5)


@tf.function
def two_gradients(x):
    """Calls `gradient` twice on a tape that isn't persistent."""
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
