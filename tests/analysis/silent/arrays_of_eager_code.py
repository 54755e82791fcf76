"""TensorArrays and NumPy arrays that eager code has filled are read in a graph where Python knows the index."""

import numpy as np
import tensorflow as tf

rows = tf.TensorArray(tf.float32, 3, clear_after_read=False)
for each in range(3):
    rows = rows.write(each, tf.ones([2]))
table = np.zeros((2, 2))
table[0] = tf.ones([2])


@tf.function
def total(x):
    held = np.empty(2, dtype=object)
    held[0] = x
    x.set_shape([2])
    return rows.read(1) + rows.gather([0, 2])[0] + held[0] + tf.cast(table[0], tf.float32)


def drive():
    total(tf.ones([2]))
