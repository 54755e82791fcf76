"""Metrics stored in a deque of variables: traced methods call traced methods, and a loop runs over found indices."""

import functools

import tensorflow as tf


def function(*args, **kwargs):
    autograph = kwargs.pop("autograph", False)
    reduce_retracing = kwargs.pop("reduce_retracing", True)
    return tf.function(*args, autograph=autograph, reduce_retracing=reduce_retracing, **kwargs)


class TFDeque:
    def __init__(self, max_len, dtype, shape=()):
        self._max_len = tf.convert_to_tensor(max_len, dtype=tf.int32)
        self._spec = tf.TensorSpec(shape, dtype, name="Buffer")
        self._buffer = tf.Variable(tf.zeros([max_len, *shape], dtype), trainable=False)
        self._head = tf.Variable(0, trainable=False)

    @property
    def length(self):
        return tf.minimum(self._head, self._max_len)

    @property
    def data(self):
        return self._buffer[: self.length]

    @functools.partial(function, autograph=True)
    def add(self, value):
        position = tf.math.mod(self._head, self._max_len)
        self._buffer.scatter_nd_update([[position]], value[None])
        self._head.assign_add(1)

    @functools.partial(function, autograph=True)
    def max(self):
        if tf.equal(self._head, 0):
            return tf.fill(self._spec.shape, self._spec.dtype.min)
        return tf.math.reduce_max(self.data, axis=0)

    @function
    def clear(self):
        self._head.assign(0)


class MaxReturn:
    def __init__(self, batch_size=2):
        self._buffer = TFDeque(10, tf.float32)
        self._returns = tf.Variable(tf.zeros([batch_size]), trainable=False)

    @functools.partial(function, autograph=True)
    def __call__(self, reward, is_last):
        self._returns.assign_add(tf.reduce_sum(reward, axis=range(1, len(reward.shape))))
        for index in tf.squeeze(tf.where(is_last), axis=-1):
            self._buffer.add(self._returns[index])
        return reward

    def result(self):
        return self._buffer.max()


def drive():
    metric = MaxReturn()
    assert float(metric.result()) < -1e30
    metric(tf.ones([2, 3]), tf.constant([False, True]))
    metric(tf.ones([2, 3]), tf.constant([True, False]))
    assert float(metric.result()) == 6.0
