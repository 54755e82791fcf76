"""Cross validation: a model, an optimizer and a step for each fold, and many batches for each step."""

import numpy as np
import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])


def make_step(model, optimizer):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        weights = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    return step


def train(x, y, epochs):
    model = build()
    step = make_step(model, tf.keras.optimizers.SGD(0.1))
    losses = [step(x, y) for _ in range(epochs)]
    return float(losses[-1])


def drive():
    x = tf.constant(np.random.rand(8, 3), tf.float32)
    y = tf.constant(np.random.rand(8, 1), tf.float32)
    for fold in range(6):
        train(tf.roll(x, fold, 0), y, 3)
