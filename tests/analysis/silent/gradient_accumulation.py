"""Gradients summed over some batches, and applied every few steps by a condition in the graph."""

import tensorflow as tf

EVERY = 2


class Accumulator:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.sums = [tf.Variable(tf.zeros_like(w), trainable=False) for w in model.trainable_variables]
        self.count = tf.Variable(0, dtype=tf.int32)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        for total, gradient in zip(self.sums, gradients):
            total.assign_add(gradient)
        self.count.assign_add(1)
        if self.count % EVERY == 0:
            self.apply()
        return loss

    def apply(self):
        scaled = [total / tf.cast(EVERY, tf.float32) for total in self.sums]
        self.optimizer.apply_gradients(zip(scaled, self.model.trainable_variables))
        for total in self.sums:
            total.assign(tf.zeros_like(total))


def drive():
    model = tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(1)])
    accumulator = Accumulator(model, tf.keras.optimizers.SGD(0.1))
    for _ in range(4):
        accumulator.step(tf.ones([2, 3]), tf.zeros([2, 1]))
    assert int(accumulator.count) == 4
