"""Schedules: one as a Keras class with NumPy constants, one that a loop asks in Python and puts into a variable."""

import math

import numpy as np
import tensorflow as tf


class OneCycle(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, total_step, lr_max=0.002, div_factor=10.0):
        super().__init__()
        self.lr_max, self.div_factor, self.total_step = lr_max, div_factor, total_step

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        lr_low = self.lr_max / self.div_factor
        angle = np.pi / self.total_step * step
        lr1 = tf.abs(lr_low + (self.lr_max - lr_low) * tf.math.sin(angle))
        angle = np.pi / self.total_step * ((step - self.total_step / 2) % self.total_step)
        lr2 = tf.abs(self.lr_max * tf.math.cos(angle))
        return tf.where(step < self.total_step / 2, lr1, lr2)


class MomentumScheduler:
    def __init__(self, layers, bn_lambda, last_epoch=-1):
        self.layers, self.bn_lambda = layers, bn_lambda
        self.step(last_epoch + 1)
        self.last_epoch = last_epoch

    def step(self, epoch=None):
        if epoch is None:
            epoch = self.last_epoch + 1
        self.last_epoch = epoch
        for layer in self.layers:
            layer.momentum_value.assign(self.bn_lambda(epoch))


class Normalization(tf.keras.layers.Layer):
    def build(self, shape):
        self.momentum_value = tf.Variable(0.9, trainable=False)
        self.moving_mean = tf.Variable(tf.zeros(shape[-1:]), trainable=False)

    def call(self, x, training=False):
        mean = tf.reduce_mean(x, axis=0) if training else self.moving_mean
        if training:
            momentum = self.momentum_value
            self.moving_mean.assign(momentum * self.moving_mean + (1.0 - momentum) * mean)
        return x - mean


norm, dense = Normalization(), tf.keras.layers.Dense(1)
norm.build([None, 3])
optimizer = tf.keras.optimizers.SGD(OneCycle(6))


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((dense(norm(x, training=True)) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, dense.trainable_variables), dense.trainable_variables))
    return loss


def drive():
    scheduler = MomentumScheduler([norm], lambda epoch: max(0.1 * math.pow(0.5, epoch), 0.01))
    for epoch in range(3):
        for _ in range(2):
            loss = train_step(tf.random.normal([4, 3]), tf.zeros([4, 1]))
        scheduler.step()
        print(f"epoch {epoch}: loss {loss:.3f}, rate {optimizer.learning_rate.numpy():.4f}")
    assert int(optimizer.iterations) == 6
