"""A layer that takes an image and a matrix by name."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Warp(layers.Layer):
    def call(self, image, theta, fill=0.0):
        size = tf.shape(image)
        grid = tf.linspace(-1.0, 1.0, 4)
        shift = tf.reshape(theta[:, :1], [-1, 1, 1, 1])
        weights = tf.reshape(tf.nn.softmax(grid), [1, 4, 1, 1])
        moved = image * weights + shift
        return tf.where(moved > 0, moved, tf.fill(size, fill))


def drive():
    image, theta = keras.Input((4, 4, 1)), keras.Input((2,))
    outs = [Warp()(image, theta), Warp()(image=image, theta=theta, fill=1.0), Warp()(image, theta=theta)]
    keras.Model([image, theta], outs)([tf.ones([1, 4, 4, 1]), tf.ones([1, 2])])
