"""What a callback gives is a tensor, a mapping or nothing, and is asked which."""

from collections.abc import Mapping

import tensorflow as tf
from tensorflow import keras


def make(fn):
    x = keras.Input([3])
    out = fn(x)
    if out is None:
        return None
    if isinstance(out, Mapping):
        outputs = dict(out)
    else:
        outputs = {"a": out}
    return keras.Model(x, outputs)


@tf.function
def f(x, fn):
    y = fn(x)
    if type(y) is list:
        a, b = y
        return a + b
    if callable(y):
        return y()
    return y


def drive():
    make(lambda x: keras.layers.Dense(2)(x))
    make(lambda x: {"b": keras.layers.Dense(2)(x)})
    make(lambda x: None)
    f(tf.ones([2]), tf.identity)
