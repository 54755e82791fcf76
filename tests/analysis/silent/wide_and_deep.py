"""A model on a dict of features, with a layer for each."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class WideDeep(keras.Model):
    def __init__(self, vocab):
        super().__init__()
        self.embeddings = {name: layers.Embedding(size, 3) for name, size in vocab.items()}
        self.deep = [layers.Dense(8, activation="relu"), layers.Dense(1)]
        self.wide = layers.Dense(1)

    def call(self, features, training=None):
        embedded = [tf.reduce_mean(self.embeddings[n](features[n]), axis=1) for n in sorted(self.embeddings)]
        x = tf.concat(embedded + [features["dense"]], axis=-1)
        wide = self.wide(features["dense"])
        for layer in self.deep:
            x = layer(x)
        return tf.sigmoid(wide + x)


def drive():
    features = {"a": tf.constant([[1, 2]]), "b": tf.constant([[0]]), "dense": tf.ones([1, 2])}
    model = WideDeep({"a": 5, "b": 2})
    model(features)
    model.compile("sgd", "binary_crossentropy")
    model.fit(features, tf.ones([1, 1]), verbose=0)
    inputs = {
        "a": keras.Input((2,), dtype="int32"),
        "b": keras.Input((1,), dtype="int32"),
        "dense": keras.Input((2,)),
    }
    keras.Model(inputs, model(inputs))(features)
