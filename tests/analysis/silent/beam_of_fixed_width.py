"""Decoding step by step in a graph loop, with states that keep their shapes."""

import tensorflow as tf


class Decoder(tf.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.table = tf.Variable(tf.random.normal([vocabulary, vocabulary]))
        self.width = width

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.int32)])
    def decode(self, first, length):
        batch = tf.shape(first)[0]
        tokens = tf.TensorArray(tf.int32, size=length)
        scores = tf.zeros([batch])
        current = first
        for i in tf.range(length):
            logits = tf.gather(self.table, current)
            best, index = tf.math.top_k(logits, k=self.width)
            current = tf.cast(index[:, 0], tf.int32)
            scores += best[:, 0]
            tokens = tokens.write(i, current)
        return tf.transpose(tokens.stack()), scores


def drive():
    decoder = Decoder(7, 2)
    tokens, scores = decoder.decode(tf.constant([0, 1, 2]), tf.constant(5))
    assert tokens.shape == (3, 5) and scores.shape == (3,)
    decoder.decode(tf.constant([0]), tf.constant(2))
