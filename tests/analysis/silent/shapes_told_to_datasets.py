"""Datasets of a generator without shapes are given them before a model is fitted, or are walked through eagerly."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

TYPES = (tf.float32, tf.float32)


def rows():
    for _ in range(8):
        yield np.ones([6], "float32"), np.ones([4], "float32")


def made():
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile("sgd", "mse")
    return model


def shaped(x, y):
    x.set_shape([6])
    y.set_shape([4])
    return x, y


def without_shapes():
    return tf.data.Dataset.from_generator(rows, TYPES)


def mean(true, predicted):
    count = tf.cast(tf.shape(predicted)[0], tf.float32)
    return tf.reduce_sum((true - predicted) ** 2) / count


def drive():
    made().fit(without_shapes().padded_batch(4, padded_shapes=([6], [4])), verbose=0)
    made().fit(without_shapes().map(shaped).batch(4), verbose=0)
    told = without_shapes().map(lambda x, y: (tf.ensure_shape(x, [6]), tf.reshape(y, [4])))
    made().fit(told.batch(4), verbose=0)
    made().fit(tf.data.Dataset.from_generator(rows, TYPES, ([6], [4])).batch(4), verbose=0)
    for x, y in without_shapes().batch(4):
        made().train_on_batch(x, y)
        assert x.shape.as_list() == [4, 6]
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile("sgd", mean, metrics=[mean])
    model.fit(told.batch(3), verbose=0)
    assert model.predict(np.ones([5, 6]), verbose=0).shape == (5, 4)
