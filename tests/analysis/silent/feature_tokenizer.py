"""A layer that takes numbers and categories, with weights by the shape of the numbers."""

import tensorflow as tf
from tensorflow import keras


class FeatureTokenizer(keras.layers.Layer):
    """Embeds numbers and categories."""

    def __init__(self, categories, dim, **kwargs):
        super().__init__(**kwargs)
        self.dim = dim
        self.embeddings = [keras.layers.Embedding(n, dim) for n in categories]

    def build(self, input_shape):
        numeric, _ = input_shape
        self.weight = self.add_weight(shape=(numeric[-1], self.dim), initializer="glorot_uniform", name="w")
        self.bias = self.add_weight(shape=(numeric[-1], self.dim), initializer="zeros", name="b")

    def call(self, inputs):
        numeric, categorical = inputs
        tokens = [numeric[..., None] * self.weight + self.bias]
        for i, embedding in enumerate(self.embeddings):
            tokens.append(embedding(categorical[:, i])[:, None])
        return tf.concat(tokens, axis=1)


def drive():
    a, b = (keras.Input([3]), keras.Input([2], dtype="int32"))
    m = keras.Model([a, b], keras.layers.Dense(1)(keras.layers.Flatten()(FeatureTokenizer([4, 5], 8)([a, b]))))
    m.compile("adam", "mse")
    m.fit([tf.ones([4, 3]), tf.ones([4, 2], tf.int32)], tf.ones([4, 1]), verbose=0)
