"""Layers told by flags and by training what to do."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Augment(layers.Layer):
    def __init__(self, mode="noise", rate=0.1, **kwargs):
        super().__init__(**kwargs)
        self.mode, self.rate = mode, rate

    def call(self, inputs, training=None):
        if training is None:
            training = False
        if not training or self.rate == 0:
            return inputs
        if self.mode == "noise":
            return inputs + tf.random.normal(tf.shape(inputs), stddev=self.rate)
        elif self.mode == "scale":
            return inputs * (1.0 + self.rate)
        else:
            raise ValueError(f"unknown mode {self.mode}")

    def get_config(self):
        return {**super().get_config(), "mode": self.mode, "rate": self.rate}


def drive():
    model = keras.Sequential([keras.Input((3,)), Augment(), Augment("scale"), layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.ones([2, 3]), tf.ones([2, 1]), verbose=0)
    model(tf.ones([2, 3]), training=True)
