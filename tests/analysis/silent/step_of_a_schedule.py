"""Arithmetic of Python numbers with the step that a schedule is called with, which is a Keras variable."""

import tensorflow as tf
from tensorflow import keras


class Schedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, warmup=4000):
        super().__init__()
        self.warmup = warmup

    def __call__(self, step):
        grown = step * self.warmup**-1.5
        decayed = 0.9 ** (step / self.warmup)
        turned = 1 + tf.cos(3.14 * step / self.warmup)
        rising = tf.minimum(1.0, (step + 1.0) / self.warmup)
        return tf.minimum((step + 1.0) ** -0.5, grown + 0.5) * decayed * turned * rising

    def get_config(self):
        return {"warmup": self.warmup}


def drive():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(Schedule()), "mse")
    model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)
    weight = keras.Variable(1.0)
    optimizer = keras.optimizers.SGD(Schedule())
    optimizer.build([weight])
    tf.function(lambda: optimizer.apply_gradients([(tf.constant(1.0), weight)]))()
