"""A metric that makes its variables from the first values it sees, lifted out of the graph, and built once."""

import numpy as np
import tensorflow as tf


class FlipRatio(tf.keras.metrics.Metric):
    def __init__(self, values_dtype="int8", name="flip_ratio", dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.built = False
        self.values_dtype = tf.as_dtype(values_dtype)

    def build(self, shape):
        self.previous = tf.Variable(tf.zeros(shape, self.values_dtype), trainable=False)
        self.total = tf.Variable(0.0, trainable=False)
        self.count = tf.Variable(0.0, trainable=False)
        self._size = tf.cast(np.prod(shape), tf.float32)
        self.built = True

    def update_state(self, values, sample_weight=None):
        values = tf.cast(values, self.values_dtype)
        if not self.built:
            with tf.name_scope(self.name), tf.init_scope():
                self.build(values.shape)
        unchanged = tf.math.count_nonzero(tf.equal(self.previous, values))
        flip_ratio = 1 - tf.cast(unchanged, tf.float32) / tf.cast(self._size, tf.float32)
        update_total_op = self.total.assign_add(flip_ratio * tf.sign(self.count))
        with tf.control_dependencies([update_total_op]):
            update_count_op = self.count.assign_add(1)
            with tf.control_dependencies([update_count_op]):
                self.previous.assign(values)

    def result(self):
        return tf.math.divide_no_nan(self.total, self.count - 1)


metric = FlipRatio()


@tf.function
def observe(weights):
    metric.update_state(tf.sign(weights))
    return metric.result()


def drive():
    observe(tf.ones([2, 3]))
    assert float(observe(-tf.ones([2, 3]))) == 1.0
