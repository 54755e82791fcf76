"""A call under a decorator of the project that wraps it."""

import functools

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def named_scope(call):
    @functools.wraps(call)
    def wrapped(self, *args, **kwargs):
        with tf.name_scope(self.name):
            return call(self, *args, **kwargs)

    return wrapped


class Scaled(layers.Layer):
    @named_scope
    def call(self, x, training=None):
        if training:
            return x * 2.0
        return x


class Plain(keras.Model):
    def __init__(self):
        super().__init__()
        self.scaled, self.out = Scaled(), layers.Dense(2)

    @named_scope
    def call(self, inputs):
        a, b = inputs
        return self.out(tf.concat([self.scaled(a), b], axis=-1))


model = Plain()


@tf.function
def step(a, b):
    return tf.reduce_sum(model([a, b], training=True))


def drive():
    step(tf.ones([2, 3]), tf.ones([2, 3]))
    a = keras.Input((3,))
    keras.Model(a, model([a, a]))(tf.ones([2, 3]))
