"""The other examples' programs, put right. Nothing is reported here."""

import math

import tensorflow as tf


class WarmupCosine(tf.Module):
    def __init__(self, base_rate, warmup_steps, total_steps):
        super().__init__()
        self.base_rate = base_rate
        self.warmup_steps = float(warmup_steps)
        self.total_steps = float(total_steps)

    @tf.function
    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        if step < self.warmup_steps:
            rate = self.base_rate * step / self.warmup_steps
        elif step < self.total_steps:
            progress = (step - self.warmup_steps) / (self.total_steps - self.warmup_steps)
            rate = 0.5 * self.base_rate * (1.0 + tf.cos(math.pi * progress))
        else:
            rate = tf.zeros_like(step)
        return rate


@tf.function
def pick_action(q_values, epsilon):
    if tf.random.uniform([]) < epsilon:
        action = tf.random.uniform([], maxval=4, dtype=tf.int64)
    else:
        action = tf.argmax(q_values)
    return action


@tf.function
def rollout(start, steps):
    position = start
    distances = tf.TensorArray(tf.float32, size=steps)
    for i in tf.range(steps):
        position = position * 0.5
        distances = distances.write(i, tf.abs(position))
    return distances.stack()


class Evaluator:
    def __init__(self, scale):
        self.scale = scale
        self.evaluate = tf.function(self._loss)

    def _loss(self, batch):
        return tf.reduce_mean(tf.square(batch)) * self.scale


if __name__ == "__main__":
    schedule = WarmupCosine(1e-3, warmup_steps=10, total_steps=100)
    print(schedule(tf.constant(50)), schedule(tf.constant(500)))
    print(pick_action(tf.constant([0.1, 0.9, 0.3, 0.2]), tf.constant(0.1)))
    print(rollout(tf.constant(8.0), tf.constant(3)))
    evaluator = Evaluator(0.5)
    for batch in [tf.ones([2, 3]), tf.zeros([2, 3])]:
        print(evaluator.evaluate(batch))
