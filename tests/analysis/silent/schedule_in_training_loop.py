"""A schedule called by the optimizer, and steps counted in Python outside."""

import tensorflow as tf


class Warmup(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, rate, steps):
        super().__init__()
        self.rate, self.steps = rate, steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return self.rate * tf.minimum(1.0, (step + 1.0) / self.steps)


weight = tf.Variable([1.0, 2.0])
optimizer = tf.keras.optimizers.SGD(Warmup(0.1, 10.0))


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(weight**2)
    optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
    return loss


def drive():
    steps = 0
    while steps < 3:
        step()
        steps += 1
