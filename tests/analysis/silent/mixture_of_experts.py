"""Experts in a list, a gate that is passed on, and sums over a Python list."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Experts(layers.Layer):
    def __init__(self, count, units):
        super().__init__()
        self.experts = [layers.Dense(units) for _ in range(count)]
        self.gate = layers.Dense(count, activation="softmax")

    def call(self, inputs):
        x, task = inputs
        gates = tf.unstack(self.gate(task), axis=-1)
        outputs = [expert(x) for expert in self.experts]
        return sum(tf.expand_dims(g, -1) * out for g, out in zip(gates, outputs))


class MMoE(keras.Model):
    def __init__(self, tasks=2):
        super().__init__()
        self.mixtures = [Experts(3, 4) for _ in range(tasks)]
        self.heads = [layers.Dense(1) for _ in range(tasks)]

    def call(self, x):
        return [head(mixture([x, x])) for mixture, head in zip(self.mixtures, self.heads)]


model = MMoE()


@tf.function
def loss(x, ys):
    outputs = model(x, training=True)
    return tf.add_n([tf.reduce_mean((y - out) ** 2) for y, out in zip(ys, outputs)])


def drive():
    loss(tf.ones([2, 3]), [tf.ones([2, 1]), tf.ones([2, 1])])
    x = keras.Input((3,))
    keras.Model(x, MMoE()(x))(tf.ones([2, 3]))
