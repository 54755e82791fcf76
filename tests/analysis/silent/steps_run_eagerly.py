"""Layers count and keep tensors where Keras is told to run its steps eagerly, or where a layer is called again."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Noisy(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.last = None

    def call(self, x):
        self.calls += 1
        self.last = x
        return x * 2.0


class Kept(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.last = None

    def call(self, x):
        self.last = x
        return x * 2.0


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.noisy = Noisy()
        self.dense = keras.layers.Dense(1)

    def call(self, x):
        return self.dense(self.noisy(x))


def by_attribute(x, y):
    model = Model()
    model.compile("sgd", "mse")
    model.run_eagerly = True
    model.fit(x, y, verbose=0)
    return model.noisy.last.numpy()


def by_attribute_of_sequential(x, y):
    noisy = Noisy()
    model = keras.Sequential([noisy, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.run_eagerly = True
    model.fit(x, y, verbose=0)
    return noisy.last.numpy()


def by_switch(x, y):
    noisy = Noisy()
    model = keras.Sequential([noisy, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    tf.config.run_functions_eagerly(True)
    model.fit(x, y, verbose=0)
    tf.config.run_functions_eagerly(False)
    return noisy.last.numpy()


def layer_by_layer(x, y):
    kept = Kept()
    inputs = keras.Input((4,))
    model = keras.Model(inputs, keras.layers.Dense(1)(kept(inputs)))
    model.compile("sgd", "mse")
    model.fit(x, y, verbose=0)
    model.get_layer(index=1)(x)
    return kept.last.numpy()


def by_method(x, y):
    kept = Kept()
    model = keras.Sequential([kept, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y, verbose=0)
    model.call(tf.constant(x))
    return kept.last.numpy()


def drive():
    x, y = np.ones([32, 4], "float32"), np.ones([32, 1], "float32")
    for run in (by_attribute, by_attribute_of_sequential, by_switch, layer_by_layer, by_method):
        assert run(x, y).shape == (32, 4)
