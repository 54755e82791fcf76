"""Arithmetic on an optimizer's iterations, which are a Keras variable."""

import tensorflow as tf
from tensorflow import keras


class Sched(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d, warmup=10):
        self.d = d
        self.warmup = warmup

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return self.d ** (-0.5) * tf.minimum(step ** (-0.5), step * self.warmup ** (-1.5))

    def get_config(self):
        return {}


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.d = keras.layers.Dense(1)

    def call(self, x):
        return self.d(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        w = self.optimizer.iterations * 0.5
        g = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        return {"loss": loss, "w": w}


def drive():
    opt = keras.optimizers.Adam(0.001)
    n = Net()
    n.compile(opt)
    n.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)
    opt.iterations * 0.5
    opt.learning_rate * 2
