"""Traced functions made on demand: by a factory under `lru_cache`, by a dict, and by a method that makes them once."""

import functools

import tensorflow as tf


@functools.lru_cache(maxsize=None)
def moment_function(order):
    @tf.function
    def moment(x):
        return tf.reduce_mean((x - tf.reduce_mean(x)) ** order)

    return moment


class Loss:
    def __init__(self, fits):
        self._fits = fits
        self._cache = {}
        self._value_gradients = None

    def _cached(self, name, func):
        if name not in self._cache:
            self._cache[name] = tf.function(func)
        return self._cache[name]

    def value(self, params):
        return self._cached("value", lambda p: tf.add_n([fit(p) for fit in self._fits]))(params)

    def value_gradients(self, params):
        if self._value_gradients is None:

            @tf.function
            def value_gradients(params):
                with tf.GradientTape() as tape:
                    tape.watch(params)
                    loss = tf.add_n([fit(params) for fit in self._fits])
                return loss, tape.gradient(loss, params)

            self._value_gradients = value_gradients
        return self._value_gradients(params)

    def __add__(self, other):
        return type(self)(self._fits + other._fits)


def minimize(loss, params, steps):
    for step in range(steps):
        value, gradient = loss.value_gradients(params)
        params = params - 0.1 * gradient
        if step % 2 == 0:
            print(step, float(value), float(loss.value(params)))
    return params


def drive():
    x = tf.constant([1.0, 2.0, 4.0])
    print([float(moment_function(order)(x)) for order in (2, 3, 2)])
    total = Loss([lambda p: tf.reduce_sum(p**2)]) + Loss([lambda p: tf.reduce_sum((p - 1.0) ** 2)])
    assert minimize(total, tf.zeros([2]), 4).shape == [2]
