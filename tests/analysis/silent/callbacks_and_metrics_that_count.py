"""Callbacks count in Python, metrics in weights, and a loop by hand collects its losses."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Count(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.batches = 0
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.batches += 1
        self.losses.append(logs["loss"])


class MeanError(keras.metrics.Metric):
    def __init__(self, name="mean_error", **kwargs):
        super().__init__(name=name, **kwargs)
        self.total = self.add_weight(name="total", initializer="zeros")
        self.count = self.add_weight(name="count", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.total.assign_add(tf.reduce_mean(tf.abs(y_true - y_pred)))
        self.count.assign_add(1.0)

    def result(self):
        return self.total / self.count


def by_hand(model, x, y):
    optimizer = keras.optimizers.SGD()
    losses, steps = [], 0
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.append(loss)
        steps += 1
    return float(losses[-1]) / steps


def drive():
    x, y = np.ones([32, 4], "float32"), np.ones([32, 1], "float32")
    count, metric = Count(), MeanError()
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse", metrics=[metric])
    ended = []
    told = keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: ended.append(logs["loss"]))
    model.fit(x, y, batch_size=8, epochs=2, verbose=0, callbacks=[count, told])
    assert count.batches == 8
    assert len(ended) == 2
    assert np.isfinite(np.mean(count.losses))
    assert float(metric.result()) >= 0
    assert by_hand(model, x, y) >= 0
