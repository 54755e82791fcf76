"""A layer keeps its weights of attention, which are read after an eager call, or where nothing is a graph."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Attend(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.score = keras.layers.Dense(4)
        self.calls = 0
        self.last = None

    def call(self, x):
        self.last = tf.nn.softmax(self.score(x))
        return x * self.last


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.attend = Attend()
        self.dense = keras.layers.Dense(1)

    def call(self, x):
        return self.dense(self.attend(x))


class Watch(keras.callbacks.Callback):
    def __init__(self, x):
        super().__init__()
        self.x = x
        self.means = []

    def on_epoch_end(self, epoch, logs=None):
        self.model(self.x)
        self.means.append(self.model.attend.last.numpy().mean())


class Counting(Attend):
    def call(self, x):
        self.calls += 1
        return super().call(x)


def functional(x, y):
    inputs = keras.Input((4,))
    attend = Attend()
    model = keras.Model(inputs, keras.layers.Dense(1)(attend(inputs)))
    model.compile("sgd", "mse")
    model.fit(x, y, batch_size=8, verbose=0)
    model(x[:2])
    return attend.last.numpy().mean()


def sequential(x, y):
    attend = Attend()
    model = keras.Sequential([attend, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y, batch_size=8, verbose=0)
    model(x[:2])
    return attend.last.numpy().mean()


def subclassed(x, y):
    model = Model()
    model.compile("sgd", "mse")
    watch = Watch(x[:2])
    model.fit(x, y, batch_size=8, verbose=0, callbacks=[watch])
    return model.attend.last.numpy().mean() + watch.means[0]


def eager(x, y):
    attend = Counting()
    model = keras.Sequential([attend, keras.layers.Dense(1)])
    model.compile("sgd", "mse", run_eagerly=True)
    model.fit(x, y, batch_size=8, verbose=0)
    assert attend.calls >= 4
    return attend.last.numpy().mean()


def drive():
    x, y = np.ones([32, 4], "float32"), np.ones([32, 1], "float32")
    for run in (functional, sequential, subclassed, eager):
        assert run(x, y) > 0
