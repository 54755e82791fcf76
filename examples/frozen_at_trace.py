"""Python code that should run on every call, but runs only while the function is traced."""

import time

import numpy as np
import tensorflow as tf


class Trainer(tf.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.weight = tf.Variable(2.0)

    @tf.function
    def step(self, x):
        self.steps += 1
        noise = np.random.normal()
        loss = tf.square(self.weight * x + noise)
        print("loss:", loss)
        return loss


@tf.function
def stamped(value):
    """Every value is stored with the time of the first call."""
    return value, tf.constant(time.time(), tf.float64)


momentum = 0.9


@tf.function
def smoothed(old, new):
    return momentum * old + (1.0 - momentum) * new


if __name__ == "__main__":
    trainer = Trainer()
    for value in (1.0, 2.0, 3.0):
        print(trainer.step(tf.constant(value)))
    print("steps:", trainer.steps)  # 1 instead of 3
    print(stamped(tf.constant(1.0)))
    print(smoothed(tf.constant(0.0), tf.constant(1.0)))
    momentum = 0.5
    print(smoothed(tf.constant(0.0), tf.constant(1.0)))  # still with 0.9
