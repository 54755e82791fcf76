"""A module that sets itself up on the first call."""

import tensorflow as tf


class Scaled(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = None

    def setup(self, x):
        self.scale = tf.Variable(tf.ones([x.shape[-1]]))

    @tf.function
    def __call__(self, x):
        if self.scale is None:
            self.setup(x)
        return x * self.scale


def drive():
    model = Scaled()
    return model(tf.ones([2, 3]))
