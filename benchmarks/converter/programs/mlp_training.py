"""The training of a small network, the whole loop in the graph: batches, gradients, updates, a record of losses."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

BATCHES, BATCH, FEATURES, UNITS, CLASSES = 50, 32, 16, 32, 4


def arguments() -> tuple[Any, ...]:
    random = tf.random.Generator.from_seed(4)
    x = random.normal([BATCHES, BATCH, FEATURES])
    y = tf.argmax(x @ random.normal([FEATURES, CLASSES]), -1, tf.int32)
    weights = (
        tf.Variable(random.normal([FEATURES, UNITS]) * 0.3),
        tf.Variable(tf.zeros([UNITS])),
        tf.Variable(random.normal([UNITS, CLASSES]) * 0.3),
        tf.Variable(tf.zeros([CLASSES])),
    )
    return weights, x, y, tf.constant(0.1)


def updated(weights, x, y, rate):
    """One step: the loss before it. Every variant calls it."""
    kernel, bias, out, shift = weights
    with tf.GradientTape() as tape:
        logits = tf.nn.relu(x @ kernel + bias) @ out + shift
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
    for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
        weight.assign_sub(rate * gradient)
    return loss


def plain(weights, x, y, rate):
    losses = []
    best = tf.constant(1e9)
    for step in tf.range(BATCHES):
        loss = updated(weights, x[step], y[step], rate)
        if loss < best:
            best = loss
        losses.append(loss)
        if step % 20 == 19:
            rate = rate * 0.5
    return tf.stack(losses), best, rate


def for_autograph(weights, x, y, rate):
    """AutoGraph traces an append once, so the list is written as the array that it means."""
    losses = tf.TensorArray(tf.float32, BATCHES)
    best = tf.constant(1e9)
    for step in tf.range(BATCHES):
        loss = updated(weights, x[step], y[step], rate)
        if loss < best:
            best = loss
        losses = losses.write(step, loss)
        if step % 20 == 19:
            rate = rate * 0.5
    return losses.stack(), best, rate


def handwritten(weights, x, y, rate):
    def turn(step, losses, best, rate):
        loss = updated(weights, x[step], y[step], rate)
        best = tf.cond(loss < best, lambda: loss, lambda: best)
        rate = tf.cond(step % 20 == 19, lambda: rate * 0.5, lambda: rate)
        return step + 1, losses.write(step, loss), best, rate

    losses = tf.TensorArray(tf.float32, BATCHES)
    state = (0, losses, tf.constant(1e9), rate)
    _, losses, best, rate = tf.while_loop(lambda step, *_: step < BATCHES, turn, state)
    return losses.stack(), best, rate
