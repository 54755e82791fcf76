"""A callback counts in Python, and a model keeps what is known once it is built."""

import numpy as np
import tensorflow as tf


class Counting(tf.keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.batches, self.losses = 0, []

    def on_train_batch_end(self, batch, logs=None):
        self.batches += 1

    def on_epoch_end(self, epoch, logs=None):
        self.losses.append((logs or {}).get("loss"))


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.features = None

    def build(self, shape):
        self.features = shape[-1]
        self.dense.build(shape)
        self.built = True

    def call(self, inputs, training=False):
        return self.dense(inputs) / float(self.features)


def drive():
    counting = Counting()
    model = Model()
    model.compile("sgd", "mse")
    model.fit(np.ones([8, 3], "float32"), np.ones([8, 1], "float32"), 4, epochs=2, verbose=0, callbacks=[counting])
    assert counting.batches == 4 and len(counting.losses) == 2
