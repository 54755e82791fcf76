"""One meta-learning step: a few gradient steps on each task, and the gradient of what they lead to."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

TASKS, SHOTS, UNITS, INNER_STEPS = 10, 10, 40, 2


def arguments() -> tuple[Any, ...]:
    random = tf.random.Generator.from_seed(3)
    weights = (
        random.normal([1, UNITS]) * 0.5,
        tf.zeros([UNITS]),
        random.normal([UNITS, 1]) * 0.2,
        tf.zeros([1]),
    )
    x = random.uniform([TASKS, SHOTS, 1], -5.0, 5.0)
    return weights, x, tf.sin(x + random.uniform([TASKS, 1, 1], 0.0, 3.14))


def loss_of(weights, x, y):
    kernel, bias, out, shift = weights
    return tf.reduce_mean((tf.nn.relu(x @ kernel + bias) @ out + shift - y) ** 2)


def adapted(weights, x, y):
    """The weights after the steps on one task; a plain loop over a Python range that every variant unrolls."""
    for _ in range(INNER_STEPS):
        with tf.GradientTape() as tape:
            tape.watch(weights)
            loss = loss_of(weights, x, y)
        gradients = tape.gradient(loss, weights)
        weights = tuple(w - 0.01 * g for w, g in zip(weights, gradients, strict=True))
    return weights


def plain(weights, x, y):
    with tf.GradientTape() as tape:
        tape.watch(weights)
        total = 0.0
        for i in tf.range(TASKS):
            total += loss_of(adapted(weights, x[i], y[i]), x[i], y[i])
    gradients = tape.gradient(total, weights)
    norm = tf.linalg.global_norm(gradients)
    if norm > 1.0:
        gradients = tuple(g / norm for g in gradients)
    return total, tuple(w - 0.01 * g for w, g in zip(weights, gradients, strict=True))


def handwritten(weights, x, y):
    def turn(i, total):
        return i + 1, total + loss_of(adapted(weights, x[i], y[i]), x[i], y[i])

    with tf.GradientTape() as tape:
        tape.watch(weights)
        _, total = tf.while_loop(lambda i, _: i < TASKS, turn, (0, 0.0), maximum_iterations=TASKS)
    gradients = tape.gradient(total, weights)
    norm = tf.linalg.global_norm(gradients)
    gradients = tf.cond(norm > 1.0, lambda: tuple(g / norm for g in gradients), lambda: gradients)
    return total, tuple(w - 0.01 * g for w, g in zip(weights, gradients, strict=True))
