"""A model on stories and questions with ops on several embeddings."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class MemN2N(keras.Model):
    def __init__(self, vocab=10, dim=4, hops=2):
        super().__init__()
        self.a, self.b, self.c = (layers.Embedding(vocab, dim, mask_zero=True) for _ in range(3))
        self.hops, self.out = hops, layers.Dense(vocab)

    def call(self, inputs, mask=None):
        story, question = inputs
        memory, output = self.a(story), self.c(story)
        u = tf.reduce_sum(self.b(question), axis=1)
        for _ in range(self.hops):
            weights = tf.nn.softmax(tf.reduce_sum(memory * tf.expand_dims(u, 1), axis=-1))
            u = u + tf.reduce_sum(output * tf.expand_dims(weights, -1), axis=1)
        return self.out(u)


def drive():
    story, question = tf.constant([[1, 2, 0]]), tf.constant([[3, 0]])
    model = MemN2N()
    model([story, question])
    tf.function(lambda s, q: model((s, q), training=False))(story, question)
    s, q = keras.Input((3,), dtype="int32"), keras.Input((2,), dtype="int32")
    keras.Model([s, q], MemN2N()([s, q]))([story, question])
