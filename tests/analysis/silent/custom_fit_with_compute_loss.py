"""A train_step that uses compute_loss and the metrics of compile."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Custom(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(1)

    def call(self, x, training=False):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}

    def test_step(self, data):
        x, y = data
        y_pred = self(x, training=False)
        self.compute_loss(y=y, y_pred=y_pred)
        return {"mae": tf.reduce_mean(tf.abs(tf.cast(y, y_pred.dtype) - y_pred))}


def drive():
    model = Custom()
    model.compile("adam", "mse", metrics=["mae"])
    x, y = tf.ones([4, 3]), tf.ones([4, 1])
    model.fit(x, y, verbose=0)
    model.evaluate(x, y, verbose=0)
