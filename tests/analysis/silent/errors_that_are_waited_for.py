"""Eager code that tries out what TensorFlow refuses."""

import contextlib

import tensorflow as tf


def fits(first, second):
    try:
        return (first @ second).shape
    except tf.errors.InvalidArgumentError:
        return None


def drive():
    assert fits(tf.ones([2, 3]), tf.ones([2, 3])) is None
    assert fits(tf.ones([2, 3]), tf.ones([3, 2])) == (2, 2)
    with contextlib.suppress(Exception):
        tf.ones([2]) + tf.ones([3])
    try:
        tf.ones([2]).append(3.0)
    except AttributeError as error:
        print(error)
