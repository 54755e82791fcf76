"""A recurrent network over sequences of different lengths, whose outputs are collected."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

STEPS, BATCH, FEATURES, UNITS = 40, 16, 8, 32


def arguments() -> tuple[Any, ...]:
    random = tf.random.Generator.from_seed(1)
    return (
        random.normal([STEPS, BATCH, FEATURES]),
        random.uniform([BATCH], 5, STEPS, tf.int32),
        random.normal([FEATURES, UNITS]) * 0.3,
        random.normal([UNITS, UNITS]) * 0.2,
    )


def plain(inputs, lengths, kernel, recurrent):
    state = tf.zeros([inputs.shape[1], recurrent.shape[0]])
    outputs = []
    for i in tf.range(tf.reduce_max(lengths)):
        new = tf.tanh(inputs[i] @ kernel + state @ recurrent)
        state = tf.where((i < lengths)[:, None], new, state)
        outputs.append(new)
    return tf.stack(outputs), state


def for_autograph(inputs, lengths, kernel, recurrent):
    """AutoGraph traces an append once, so the list is written as the array that it means."""
    state = tf.zeros([inputs.shape[1], recurrent.shape[0]])
    outputs = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    for i in tf.range(tf.reduce_max(lengths)):
        new = tf.tanh(inputs[i] @ kernel + state @ recurrent)
        state = tf.where((i < lengths)[:, None], new, state)
        outputs = outputs.write(i, new)
    return outputs.stack(), state


def handwritten(inputs, lengths, kernel, recurrent):
    steps = tf.reduce_max(lengths)

    def turn(i, state, outputs):
        new = tf.tanh(inputs[i] @ kernel + state @ recurrent)
        state = tf.where((i < lengths)[:, None], new, state)
        return i + 1, state, outputs.write(i, new)

    outputs = tf.TensorArray(tf.float32, steps)
    state = tf.zeros([inputs.shape[1], recurrent.shape[0]])
    _, state, outputs = tf.while_loop(lambda i, *_: i < steps, turn, (0, state, outputs))
    return outputs.stack(), state
