"""A layer with a mask that the caller passes and a loop over the steps in Python."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Viterbi(layers.Layer):
    def __init__(self, tags, **kwargs):
        super().__init__(**kwargs)
        self.tags = tags

    def build(self, shape):
        self.transitions = self.add_weight(name="t", shape=(self.tags, self.tags), initializer="zeros")

    def call(self, potentials, mask=None, training=None):
        steps = potentials.shape[1]
        score = potentials[:, 0]
        for t in range(1, steps):
            updated = tf.reduce_logsumexp(tf.expand_dims(score, 2) + self.transitions, axis=1) + potentials[:, t]
            if mask is not None:
                keep = tf.expand_dims(tf.cast(mask[:, t], tf.float32), 1)
                updated = keep * updated + (1.0 - keep) * score
            score = updated
        return tf.reduce_logsumexp(score, axis=-1)


crf = Viterbi(3)


@tf.function
def score(x, lengths):
    return crf(x, mask=tf.sequence_mask(lengths, maxlen=4))


def drive():
    score(tf.ones([2, 4, 3]), tf.constant([4, 2]))
    crf(tf.ones([2, 4, 3]))
    x, m = keras.Input((4, 3)), keras.Input((4,), dtype="bool")
    keras.Model([x, m], Viterbi(3)(x, mask=m))([tf.ones([2, 4, 3]), tf.ones([2, 4], tf.bool)])
