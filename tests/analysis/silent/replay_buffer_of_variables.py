"""A buffer of variables in a dict."""

import tensorflow as tf


class ReplayBuffer:
    def __init__(self, size, specs):
        self.size = size
        self.tables = {k: tf.Variable(tf.zeros([size, *s.shape], s.dtype), trainable=False) for k, s in specs.items()}
        self.head = tf.Variable(0, trainable=False)
        self.filled = tf.Variable(0, trainable=False)

    @tf.function
    def add(self, items):
        n = tf.shape(tf.nest.flatten(items)[0])[0]
        rows = (self.head + tf.range(n)) % self.size
        for key, value in items.items():
            self.tables[key].scatter_nd_update(rows[:, None], value)
        self.head.assign((self.head + n) % self.size)
        self.filled.assign(tf.minimum(self.filled + n, self.size))

    @tf.function
    def sample(self, n):
        rows = tf.random.uniform([n], 0, tf.maximum(self.filled, 1), tf.int32)
        return {k: tf.gather(v, rows) for k, v in self.tables.items()}


def drive():
    b = ReplayBuffer(8, {"x": tf.TensorSpec([3]), "r": tf.TensorSpec([], tf.int32)})
    for _ in range(4):
        b.add({"x": tf.ones([3, 3]), "r": tf.ones([3], tf.int32)})
    b.sample(4)
