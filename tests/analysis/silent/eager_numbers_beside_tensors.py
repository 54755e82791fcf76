"""Without a graph the first tensor decides, whatever stands in front of it."""

import numpy as np
import tensorflow as tf


def masked(scores, lengths):
    mask = tf.sequence_mask(lengths, scores.shape[1])
    weights = tf.where(mask, 1, tf.zeros_like(scores))
    floor = tf.maximum(np.array(-1e9), scores)
    return tf.reduce_sum(weights * floor, 1) / tf.maximum(1, tf.reduce_sum(weights, 1))


def drive():
    scores = tf.random.normal([4, 6])
    masked(scores, tf.constant([1, 2, 3, 6]))
    tf.reshape(scores, -1) + np.float32(1.0)
    scores[:, tf.newaxis, :] - scores[tf.newaxis, :, :]
    np.ones(6) * scores
