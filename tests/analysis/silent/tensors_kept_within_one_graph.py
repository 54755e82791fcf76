"""Models and layers keep tensors that the same graph uses, or of which only the shape is asked afterwards."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Autoencoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.mean = keras.layers.Dense(2)
        self.log = keras.layers.Dense(2)
        self.decode = keras.layers.Dense(4)

    def call(self, x):
        self.z_mean, self.z_log = self.mean(x), self.log(x)
        return self.decode(self.z_mean)

    def train_step(self, data):
        x, _ = data
        with tf.GradientTape() as tape:
            out = self(x, training=True)
            kl = -0.5 * tf.reduce_mean(1 + self.z_log - tf.square(self.z_mean) - tf.exp(self.z_log))
            loss = tf.reduce_mean(tf.square(out - x)) + kl
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


class Encode(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.mean = keras.layers.Dense(2)

    def call(self, x):
        self.given = x
        self.z = self.mean(x)
        return self.z


def regularized(x, y):
    inputs = keras.Input((4,))
    encode = Encode()
    code = encode(inputs)
    width = encode.given.shape[-1]
    model = keras.Model(inputs, keras.layers.Dense(1)(keras.layers.Dense(width)(code)))

    def loss(true, predicted):
        return tf.reduce_mean(tf.square(true - predicted)) + 0.1 * tf.reduce_mean(tf.square(encode.z))

    model.compile("sgd", loss)
    model.fit(x, y, batch_size=8, verbose=0)


def drive():
    x, y = np.ones([32, 4], "float32"), np.ones([32, 1], "float32")
    model = Autoencoder()
    model.compile("sgd")
    model.fit(x, y, batch_size=8, verbose=0)
    regularized(x, y)
