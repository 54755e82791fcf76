"""Layers count in Python while they are built, keep sizes in call, and count steps in a weight."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Powers(keras.layers.Layer):
    built_times = 0

    def __init__(self, depth):
        super().__init__()
        self.kernels = []
        self.depth = depth
        self.made = 0

    def build(self, shape):
        for place in range(self.depth):
            self.made += 1
            self.kernels.append(self.add_weight(shape=(shape[-1], shape[-1]), name=f"kernel{place}"))
        Powers.built_times += 1

    def call(self, x):
        self.rank = len(x.shape)
        self.width = x.shape[-1]
        for kernel in self.kernels:
            x = tf.matmul(x, kernel)
        return x / self.made


class Warmup(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.step = self.add_weight(name="step", initializer="zeros", trainable=False)

    def call(self, x, training=False):
        if training:
            self.step.assign_add(1.0)
        return x * tf.minimum(1.0, self.step / 10.0)


class Penalty(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(0.0, trainable=False)

    def call(self, x):
        self.add_loss(self.weight * tf.reduce_mean(tf.square(x)))
        return x


class Anneal(keras.callbacks.Callback):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer
        self.epochs = 0

    def on_epoch_begin(self, epoch, logs=None):
        self.epochs += 1
        self.layer.weight.assign(min(1.0, self.epochs / 10))


def drive():
    x, y = np.ones([32, 4], "float32"), np.ones([32, 1], "float32")
    powers, warmup, penalty = Powers(2), Warmup(), Penalty()
    model = keras.Sequential([powers, warmup, penalty, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y, batch_size=8, verbose=0, callbacks=[Anneal(penalty)])
    assert (powers.rank, powers.width, Powers.built_times) == (2, 4, 1)
    assert float(warmup.step) == 4
    assert float(penalty.weight) > 0
