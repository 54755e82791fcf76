"""NumPy on lists, shapes and numbers that Python has while it traces."""

import numpy as np
import tensorflow as tf


@tf.function
def wave(x, taps):
    w = np.hanning(5)
    v = np.array([1.0, 2.0])
    m = np.mean([1.0, 2.0, 3.0])
    k = np.prod(x.shape)
    k2 = np.prod(x.shape[1:])
    r = int(np.ceil(x.shape[0] / 2))
    z = tf.reshape(x, [-1, int(np.prod(x.shape[1:]))])
    return z * m + v[0] * r + w[0] + float(k) + float(k2)


def drive():
    wave(tf.ones([2, 3]), 3)
