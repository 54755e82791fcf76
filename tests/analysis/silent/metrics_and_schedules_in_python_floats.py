"""Python floats meet Keras variables in schedules, callbacks and metrics."""

import tensorflow as tf
from tensorflow import keras


class Warm(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return 0.1 * keras.ops.minimum(1.0, step / 100)

    def get_config(self):
        return {}


class Rate(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        logs["x"] = self.model.optimizer.iterations * 0.5


optimizer = keras.optimizers.SGD(Warm())


@tf.function
def scaled(x):
    return x * (optimizer.iterations * 0.5) + 1.5**optimizer.iterations


class Count(keras.metrics.Metric):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.n = self.add_weight(name="n", dtype="int64", initializer="zeros", shape=())

    def update_state(self, y, p, sample_weight=None):
        self.n.assign_add(tf.cast(tf.size(y), "int64"))

    def result(self):
        return self.n / 2 + self.n * 0.5


def drive():
    m = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
    m.compile(optimizer, "mse")
    m.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0, callbacks=[Rate()])
    scaled(tf.ones([2]))
    m.compile("sgd", "mse", metrics=[Count()])
    m.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)
