"""Attention with everything optional: dropout, a mask, relative positions."""

import tensorflow as tf
from tensorflow import keras


class MultiHead(keras.layers.Layer):
    def __init__(self, dim, heads, dropout=0.0, causal=False, relative=None):
        super().__init__()
        assert dim % heads == 0
        self.heads, self.depth = (heads, dim // heads)
        self.qkv = keras.layers.Dense(3 * dim)
        self.out = keras.layers.Dense(dim)
        self.drop = keras.layers.Dropout(dropout) if dropout else None
        self.relative = relative
        self.causal = causal

    def build(self, shape):
        if self.relative is not None:
            self.table = self.add_weight(shape=(2 * self.relative - 1, self.heads), initializer="zeros", name="t")
        super().build(shape)

    def call(self, x, mask=None, training=None):
        n, t = (tf.shape(x)[0], tf.shape(x)[1])
        q, k, v = tf.unstack(tf.reshape(self.qkv(x), [n, t, 3, self.heads, self.depth]), axis=2)
        q, k, v = (tf.transpose(z, [0, 2, 1, 3]) for z in (q, k, v))
        scores = tf.matmul(q, k, transpose_b=True) / float(self.depth) ** 0.5
        if self.relative is not None:
            i = tf.range(t)
            distance = tf.clip_by_value(i[:, None] - i[None, :] + self.relative - 1, 0, 2 * self.relative - 2)
            scores += tf.transpose(tf.gather(self.table, distance), [2, 0, 1])[None]
        if self.causal:
            scores += (1.0 - tf.linalg.band_part(tf.ones([t, t]), -1, 0)) * -1000000000.0
        if mask is not None:
            scores += (1.0 - tf.cast(mask, scores.dtype)[:, None, None]) * -1000000000.0
        w = tf.nn.softmax(scores)
        if self.drop is not None:
            w = self.drop(w, training=training)
        y = tf.transpose(tf.matmul(w, v), [0, 2, 1, 3])
        return self.out(tf.reshape(y, [n, t, self.heads * self.depth]))


def drive():
    x = keras.Input([5, 8])
    y = MultiHead(8, 2, 0.1, True, 4)(MultiHead(8, 2)(x))
    m = keras.Model(x, y)
    m.compile("adam", "mse")
    m.fit(tf.ones([2, 5, 8]), tf.ones([2, 5, 8]), verbose=0)
