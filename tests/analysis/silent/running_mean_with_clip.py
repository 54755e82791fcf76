"""Running statistics with an optional limit."""

import tensorflow as tf


class RunningMean(tf.Module):
    def __init__(self, shape=(), clip=None):
        super().__init__()
        self.mean = tf.Variable(tf.zeros(shape), trainable=False)
        self.count = tf.Variable(0.0001, trainable=False)
        self.clip = clip

    @tf.function
    def update(self, x):
        n = tf.cast(tf.shape(x)[0], tf.float32)
        delta = tf.reduce_mean(x, 0) - self.mean
        total = self.count + n
        self.mean.assign_add(delta * n / total)
        self.count.assign(total)

    @tf.function
    def normalize(self, x):
        y = x - self.mean
        if self.clip is not None:
            y = tf.clip_by_value(y, -self.clip, self.clip)
        return y


def drive():
    r, c = (RunningMean([3]), RunningMean([3], 5.0))
    for m in (r, c):
        m.update(tf.ones([4, 3]))
        print(m.normalize(tf.ones([4, 3])))
