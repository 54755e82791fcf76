"""Variables that are made in the first turn of a loop."""

import tensorflow as tf


class Acc(tf.Module):
    def __init__(self):
        super().__init__()
        self._grads = []

    @tf.function
    def run(self, xs):
        for x in xs:
            self.add([x, x * 2])
        return [g.read_value() for g in self._grads]

    def add(self, gs):
        if not self._grads:
            self._grads.extend([tf.Variable(tf.zeros([]), trainable=False) for g in gs])
        for v, g in zip(self._grads, gs):
            v.assign_add(g)


def drive():
    acc = Acc()
    acc.run(tf.constant([1.0, 2.0]))
