"""A table made with NumPy and sliced in `call`."""

import numpy as np
import tensorflow as tf


def sinusoids(length, dim, dtype=tf.float32):
    position = np.arange(length)[:, np.newaxis]
    rates = 1 / np.power(10000, 2 * (np.arange(dim)[np.newaxis, :] // 2) / np.float32(dim))
    angles = position * rates
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return tf.cast(angles[np.newaxis], dtype)


class Position(tf.keras.layers.Layer):
    def __init__(self, length, dim):
        super().__init__()
        self.table = sinusoids(length, dim)
        self.scale = float(np.sqrt(dim))

    def call(self, x):
        n = tf.shape(x)[1]
        return x * self.scale + self.table[:, :n]


def drive():
    m = tf.keras.Sequential([tf.keras.Input([None, 4]), Position(16, 4)])
    m(tf.ones([2, 5, 4])).shape
    m.predict(tf.ones([1, 3, 4]), verbose=0).shape
