"""A block that scales channels, in a functional model."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class SqueezeExcite(layers.Layer):
    def __init__(self, ratio=2, **kwargs):
        super().__init__(**kwargs)
        self.ratio = ratio

    def build(self, shape):
        channels = shape[-1]
        self.reduce = layers.Dense(max(1, channels // self.ratio), activation="relu")
        self.expand = layers.Dense(channels, activation="sigmoid")

    def call(self, x):
        pooled = tf.reduce_mean(x, axis=[1, 2], keepdims=True)
        return tf.multiply(x, self.expand(self.reduce(pooled)))


def drive():
    inputs = keras.Input((8, 8, 4))
    x = SqueezeExcite()(layers.Conv2D(4, 3, padding="same")(inputs))
    keras.Model(inputs, layers.add([inputs, x]))(tf.ones([1, 8, 8, 4]))
