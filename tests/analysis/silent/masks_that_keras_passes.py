"""Layers with `mask=None`: an Embedding, a Masking layer or the caller may pass one."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class MaskedMean(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, x, mask=None):
        if mask is None:
            return tf.reduce_mean(x, axis=1)
        weights = tf.expand_dims(tf.cast(mask, x.dtype), -1)
        return tf.reduce_sum(x * weights, axis=1) / tf.maximum(tf.reduce_sum(weights, axis=1), 1e-9)

    def compute_mask(self, inputs, mask=None):
        return None


class AdditiveAttention(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.w = layers.Dense(units)
        self.v = layers.Dense(1)

    def call(self, query, values, mask=None):
        scores = self.v(tf.nn.tanh(self.w(values) + tf.expand_dims(query, 1)))
        if mask is not None:
            scores += (1.0 - tf.cast(mask, scores.dtype)[..., tf.newaxis]) * -1e9
        weights = tf.nn.softmax(scores, axis=1)
        return tf.reduce_sum(weights * values, axis=1)


class Encoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = layers.Embedding(20, 6, mask_zero=True)
        self.pool = MaskedMean()
        self.attend = AdditiveAttention(6)
        self.out = layers.Dense(2)

    def call(self, tokens):
        x = self.embed(tokens)
        pooled = self.pool(x)
        mask = self.embed.compute_mask(tokens)
        return self.out(self.attend(pooled, x, mask=mask))


encoder = Encoder()


@tf.function
def encode(tokens):
    return encoder(tokens, training=False)


def drive():
    encode(tf.constant([[1, 2, 0], [3, 0, 0]]))
    tokens = keras.Input((4,), dtype="int32")
    x = layers.Embedding(20, 6, mask_zero=True)(tokens)
    model = keras.Model(tokens, layers.Dense(1)(MaskedMean()(x)))
    model.compile("sgd", "mse")
    model.fit(tf.constant([[1, 2, 0, 0]]), tf.ones([1, 1]), verbose=0)
    keras.Sequential([layers.Masking(), layers.LSTM(3, return_sequences=True), MaskedMean()])(tf.ones([2, 4, 3]))
