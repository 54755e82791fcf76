"""Programs that depend on which Keras they are for."""

LAYER = """\
import tensorflow as tf


class Scaled(tf.keras.layers.Layer):
    def call(self, x):
        if tf.reduce_sum(x) > 0:
            x = x * 2
        return x


@tf.function
def step(x: tf.Tensor):
    return Scaled()(x)


step(tf.ones([2]))
"""
"""Works under Keras 2, whose layers are converted, and has one finding under Keras 3."""
