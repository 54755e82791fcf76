"""A module counts its traces to check that it doesn't retrace."""

import tensorflow as tf


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.trace_count = 0
        self.w = tf.Variable(2.0)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def __call__(self, x):
        self.trace_count += 1
        return x * self.w


def drive():
    model = Model()
    model(tf.ones([2]))
    model(tf.ones([3]))
    assert model.trace_count == 1
