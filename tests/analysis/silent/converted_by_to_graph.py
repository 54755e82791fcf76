"""What `tf.autograph.to_graph` gives is converted whoever calls it."""

import tensorflow as tf


def f(x):
    if tf.reduce_sum(x) > 0:
        x = x * 2
    return x


g = tf.autograph.to_graph(f)


@tf.function(autograph=False)
def h(x):
    return g(x)


class L(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.f = tf.autograph.to_graph(f)

    def call(self, x):
        return self.f(x)


def drive():
    h(tf.ones([2]))
    m = tf.keras.Sequential([tf.keras.Input([2]), L()])
    m.compile("sgd", "mse")
    m.predict(tf.ones([2, 2]), verbose=0)
