"""Powers, safe selections and rows kept by condition: complex numbers, gradients without NaN, and lists unstacked."""

import tensorflow as tf


def to_complex(number, dtype=tf.complex64):
    return tf.cast(number, dtype)


def nth_pow(x, n):
    if n < 0:
        raise ValueError(f"n (power) has to be >= 0. Currently, n={n}")
    power = to_complex(1.0)
    for _ in range(n):
        power *= x
    return power


def unstack_x(value, axis=-1, always_list=False):
    if isinstance(value, list):
        if len(value) == 1 and not always_list:
            value = value[0]
        return value
    try:
        return value.unstack_x(always_list=always_list)
    except AttributeError:
        unstacked = tf.unstack(value=value, axis=axis)
    if len(unstacked) == 1 and not always_list:
        unstacked = unstacked[0]
    return unstacked


def safe_where(condition, func, safe_func, values, value_safer=tf.ones_like):
    safe_x = tf.where(condition, x=values, y=value_safer(values))
    return tf.where(condition, x=func(safe_x), y=safe_func(values))


def run_no_nan(func, x):
    value = func(x)
    if value.dtype in (tf.complex128, tf.complex64):
        value = tf.math.real(value) + tf.math.imag(value)
    indices = tf.where(tf.math.is_finite(tf.cast(value, tf.float64)))
    kept = func(tf.gather_nd(params=x, indices=indices))
    return tf.scatter_nd(indices=indices, updates=kept, shape=tf.shape(value, out_type=indices.dtype))


@tf.function(autograph=False)
def amplitude(data, order):
    x, y = unstack_x(data)
    wave = nth_pow(to_complex(x) * tf.complex(0.0, 1.0), order)
    return tf.abs(wave) + run_no_nan(tf.math.log, y)


@tf.function
def log_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(safe_where(x > 0, tf.math.log, tf.zeros_like, x))
    return tape.gradient(y, x)


def drive():
    data = tf.constant([[1.0, 2.0], [2.0, 0.0], [3.0, -1.0]])
    for order in (2, 3):
        assert amplitude(data, order).shape == [3]
    assert unstack_x(data[:, :1]).shape == [3]
    assert log_gradient(tf.constant([1.0, -1.0])).numpy().tolist() == [1.0, 0.0]
