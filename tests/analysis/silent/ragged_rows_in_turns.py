"""Ragged tensors, padded before they meet layers, and strings that are split in a map."""

import tensorflow as tf


def drive():
    lines = tf.data.Dataset.from_tensor_slices(["a b c", "d e", "f"])
    words = lines.map(tf.strings.split).ragged_batch(2)
    lookup = tf.keras.layers.StringLookup(vocabulary=list("abcdef"))
    embed = tf.keras.layers.Embedding(8, 4)
    for batch in words:
        padded = lookup(batch.to_tensor(default_value=""))
        vectors = embed(padded)
        mask = tf.sequence_mask(batch.row_lengths(), tf.shape(padded)[1])
        summed = tf.reduce_sum(tf.where(mask[..., tf.newaxis], vectors, 0.0), 1)
        assert summed.shape[-1] == 4
