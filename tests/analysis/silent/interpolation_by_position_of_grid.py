"""Grid functions picked by position and traced with a signature made for each kind of grid."""

import numpy as np
import tensorflow as tf

DTYPE = tf.float64
SIGNATURE = [tf.TensorSpec([None], DTYPE), tf.TensorSpec([None], DTYPE), tf.TensorSpec([None, None], DTYPE)]
SCALAR_SIGNATURE = [tf.TensorSpec([None], DTYPE), tf.TensorSpec([None], DTYPE), tf.TensorSpec([None], DTYPE)]
OPT = {"experimental_autograph_options": tf.autograph.experimental.Feature.ALL, "input_signature": SIGNATURE}


def float_me(value):
    return tf.cast(value, dtype=DTYPE)


def inner(q2, knots, grid):
    index = tf.clip_by_value(tf.searchsorted(knots, q2, side="right") - 1, 0, tf.shape(knots)[0] - 2)
    low, high = tf.gather(knots, index), tf.gather(knots, index + 1)
    weight = (q2 - low) / (high - low)
    if len(grid.shape) > 1:
        weight = weight[:, tf.newaxis]
    return (1 - weight) * tf.gather(grid, index) + weight * tf.gather(grid, index + 1)


def first(q2, knots, grid):
    result = inner(q2, knots, grid)
    below = q2 < knots[0]
    if tf.reduce_any(below):
        edge = tf.zeros_like(result) + grid[0]
        result = tf.where(tf.reshape(below, [-1] + [1] * (len(grid.shape) - 1)), edge, result)
    return result


class Subgrid(tf.Module):
    def __init__(self, q2, values, i=0, compile_functions=True, scalar=False):
        super().__init__(name=f"grid_{i}" + ("_scalar" if scalar else ""))
        log_q2 = np.pad(np.log(q2), 1, mode="edge")
        log_q2[0] -= 0.5
        log_q2[-1] += 0.5
        self.knots = float_me(log_q2)
        options = OPT.copy()
        if scalar:
            options["input_signature"] = SCALAR_SIGNATURE
            self.values = float_me(np.pad(values, 1, mode="edge"))
        else:
            self.values = float_me(np.pad(values, ((1, 1), (0, 0)), mode="edge"))
        self.fn_interpolation = first if i == 0 else inner
        if compile_functions:
            self.fn_interpolation = tf.function(self.fn_interpolation, **options)

    def __call__(self, q2):
        return self.fn_interpolation(q2, self.knots, self.values)


def drive():
    q2 = np.array([1.0, 4.0, 9.0])
    grids = [Subgrid(q2, np.ones([3, 2]), i) for i in (1,)] + [Subgrid(q2, np.arange(3.0), 0, scalar=True)]
    for grid in grids:
        for points in ([0.5, 1.0], [0.1, 0.2, 0.3]):
            assert len(grid(float_me(points))) == len(points)
