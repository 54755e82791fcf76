"""A scale that a condition in the graph halves or doubles, in variables and by functional branches."""

import tensorflow as tf

scale = tf.Variable(8.0)
good = tf.Variable(0, dtype=tf.int32)


@tf.function
def adjust(loss):
    finite = tf.math.is_finite(loss)

    def halve():
        scale.assign(scale / 2.0)
        good.assign(0)
        return tf.constant(False)

    def keep():
        good.assign_add(1)
        if good >= 2:
            scale.assign(scale * 2.0)
            good.assign(0)
        return tf.constant(True)

    return tf.cond(finite, keep, halve)


def drive():
    for loss in (1.0, 2.0, float("inf"), 3.0):
        adjust(tf.constant(loss))
    assert float(scale) == 8.0
