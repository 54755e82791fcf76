"""Losses and metrics that ask for sizes while the graph runs, under fit with a smaller last batch."""

import numpy as np
import tensorflow as tf


def pairwise(y_true, y_pred):
    rows = tf.shape(y_pred)[0]
    distances = tf.reduce_sum(tf.square(y_pred[:, None, :] - y_pred[None, :, :]), -1)
    labels = tf.cast(tf.reshape(y_true, [-1, 1]), tf.float32)
    same = tf.cast(tf.equal(labels, tf.transpose(labels)), tf.float32)
    return tf.reduce_sum(same * distances) / tf.cast(rows * rows, tf.float32)


class Accuracy(tf.keras.metrics.Metric):
    def __init__(self, name="own_accuracy"):
        super().__init__(name=name)
        self.right = self.add_weight(name="right", initializer="zeros")
        self.seen = self.add_weight(name="seen", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        guess = tf.argmax(y_pred, -1)
        right = tf.equal(tf.cast(tf.reshape(y_true, [-1]), guess.dtype), guess)
        self.right.assign_add(tf.reduce_sum(tf.cast(right, tf.float32)))
        self.seen.assign_add(tf.cast(tf.size(right), tf.float32))

    def result(self):
        return tf.math.divide_no_nan(self.right, self.seen)


def drive():
    model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(3)])
    model.compile("sgd", loss=pairwise, metrics=[Accuracy()])
    x, y = np.random.rand(10, 4).astype("float32"), np.random.randint(0, 3, 10)
    model.fit(x, y, batch_size=4, epochs=2, verbose=0)
