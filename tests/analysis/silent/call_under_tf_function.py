"""Layers whose `call` is traced, or hands its inputs to a traced helper: AutoGraph converts those."""

import tensorflow as tf
from tensorflow.keras import Input, Model, layers


class Clip(layers.Layer):
    @tf.function
    def call(self, inputs):
        values, limit = inputs
        if tf.reduce_max(values) > tf.reduce_max(limit):
            values = values / tf.reduce_max(values)
        for _ in tf.range(2):
            values = values * 0.5
        return values + limit


@tf.function
def blend(a, b, steps):
    total = tf.zeros_like(a)
    for i in tf.range(steps):
        if i % 2 == 0:
            total += a
        else:
            total += b
    return total


class Blend(layers.Layer):
    def __init__(self, steps, **kwargs):
        super().__init__(**kwargs)
        self.steps = steps

    def call(self, inputs):
        a, b = inputs["a"], inputs["b"]
        return blend(a, b, tf.constant(self.steps))


def drive():
    a, b = Input((3,)), Input((3,))
    out = Blend(3)({"a": Clip()([a, b]), "b": b})
    model = Model([a, b], out)
    model([tf.ones([2, 3]), 2.0 * tf.ones([2, 3])])
    Clip()((tf.ones([2, 3]), tf.ones([2, 3])))
