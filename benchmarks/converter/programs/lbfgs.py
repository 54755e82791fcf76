"""L-BFGS with a backtracking line search on Rosenbrock's function: a loop within a loop, both stopped by values."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

HISTORY, TURNS, DIMENSIONS = 4, 25, 8


def arguments() -> tuple[Any, ...]:
    return (tf.tile([-1.2, 1.0], [DIMENSIONS // 2]),)


def rosenbrock(x):
    return tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def value_and_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = rosenbrock(x)
    return value, tape.gradient(value, x)


def direction_of(gradient, moves, changes):
    """The two recursions over the latest moves and changes of the gradient, newest last."""
    steps = []
    for i in reversed(range(HISTORY)):
        curvature = tf.tensordot(moves[i], changes[i], 1)
        step = tf.math.divide_no_nan(tf.tensordot(moves[i], gradient, 1), curvature)
        gradient = gradient - step * changes[i]
        steps.insert(0, (step, curvature))
    for i in range(HISTORY):
        step, curvature = steps[i]
        gradient = (
            gradient + (step - tf.math.divide_no_nan(tf.tensordot(changes[i], gradient, 1), curvature)) * moves[i]
        )
    return -gradient


def plain(x):
    moves = tf.zeros([HISTORY, DIMENSIONS])
    changes = tf.zeros([HISTORY, DIMENSIONS])
    value, gradient = value_and_gradient(x)
    turns = 0
    while turns < TURNS and tf.norm(gradient) > 1e-2:
        direction = direction_of(gradient, moves, changes)
        slope = tf.tensordot(direction, gradient, 1)
        if slope >= 0.0:
            direction, slope = -gradient, -tf.tensordot(gradient, gradient, 1)
        size = 1.0
        while size > 1e-6 and rosenbrock(x + size * direction) > value + 1e-4 * size * slope:
            size = size * 0.5
        before, x = x, x + size * direction
        old = gradient
        value, gradient = value_and_gradient(x)
        moves = tf.concat([moves[1:], [x - before]], 0)
        changes = tf.concat([changes[1:], [gradient - old]], 0)
        turns += 1
    return value, turns


def handwritten(x):
    def unfinished(turns, x, value, gradient, moves, changes):
        return tf.logical_and(turns < TURNS, tf.norm(gradient) > 1e-2)

    def turn(turns, before, value, old, moves, changes):
        direction = direction_of(old, moves, changes)
        slope = tf.tensordot(direction, old, 1)
        direction, slope = tf.cond(slope >= 0.0, lambda: (-old, -tf.tensordot(old, old, 1)), lambda: (direction, slope))

        def too_far(size):
            return tf.cond(
                size > 1e-6,
                lambda: rosenbrock(before + size * direction) > value + 1e-4 * size * slope,
                lambda: tf.constant(False),
            )

        (size,) = tf.while_loop(too_far, lambda size: (size * 0.5,), (tf.constant(1.0),))
        x = before + size * direction
        value, gradient = value_and_gradient(x)
        moves = tf.concat([moves[1:], [x - before]], 0)
        changes = tf.concat([changes[1:], [gradient - old]], 0)
        return turns + 1, x, value, gradient, moves, changes

    zeros = tf.zeros([HISTORY, DIMENSIONS])
    turns, _, value, *_ = tf.while_loop(unfinished, turn, (0, x, *value_and_gradient(x), zeros, zeros))
    return value, turns
