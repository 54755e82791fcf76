"""Routing in a Python loop inside a layer."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def squash(s, axis=-1):
    norm = tf.reduce_sum(tf.square(s), axis=axis, keepdims=True)
    return norm / (1.0 + norm) * s / tf.sqrt(norm + 1e-9)


class Capsules(layers.Layer):
    def __init__(self, count, dim, routings=2, **kwargs):
        super().__init__(**kwargs)
        self.count, self.dim, self.routings = count, dim, routings

    def build(self, shape):
        self.w = self.add_weight(name="w", shape=(1, shape[1], self.count, self.dim, shape[2]))

    def call(self, inputs):
        u = tf.squeeze(tf.matmul(self.w, inputs[:, :, None, :, None]), -1)
        logits = tf.zeros_like(u[..., :1])
        outputs = None
        for i in range(self.routings):
            weights = tf.nn.softmax(logits, axis=2)
            outputs = squash(tf.reduce_sum(weights * u, axis=1, keepdims=True))
            if i < self.routings - 1:
                logits += tf.reduce_sum(u * outputs, axis=-1, keepdims=True)
        return tf.squeeze(outputs, 1)


def drive():
    inputs = keras.Input((4, 3))
    keras.Model(inputs, tf.keras.layers.Flatten()(Capsules(2, 5)(inputs)))(tf.ones([1, 4, 3]))
