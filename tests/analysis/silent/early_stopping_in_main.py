"""A script that stops when the loss no longer falls."""

import tensorflow as tf


def main(patience=2):
    weight = tf.Variable(3.0)

    @tf.function
    def step(rate):
        with tf.GradientTape() as tape:
            loss = tf.square(weight)
        weight.assign_sub(rate * tape.gradient(loss, weight))
        return loss

    best, waited, rate = None, 0, tf.constant(0.5)
    for _ in range(10):
        loss = float(step(rate))
        if best is None or loss < best:
            best, waited = loss, 0
        else:
            waited += 1
        if waited >= patience:
            break
    return best


def drive():
    assert main() < 1e-6
