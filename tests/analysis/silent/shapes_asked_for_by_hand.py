"""Eager code that looks at shapes and ranks before it computes."""

import sys

import tensorflow as tf


def matched(x, y):
    if x.shape[-1] != y.shape[0]:
        y = tf.transpose(y)
    return x @ y


def padded(x, length):
    missing = length - x.shape[0]
    if missing > 0:
        x = tf.pad(x, [[0, missing], [0, 0]])
    return x[:length]


def drive():
    assert matched(tf.ones([2, 3]), tf.ones([4, 3])).shape == (2, 4)
    assert matched(tf.ones([2, 3]), tf.ones([3, 4])).shape == (2, 4)
    both = tf.stack([padded(tf.ones([n, 2]), 4) for n in (2, 4, 6)])
    assert both.shape == (3, 4, 2)
    x = tf.ones([2, 2])
    if len(sys.argv) > 100:
        x = tf.ones([3, 3])
        x = x + tf.ones([3, 3])
    assert (x + tf.ones([2, 2])).shape == (2, 2)
