"""Masks over time and frequency, whose number and width are chosen in the graph, within a map of a dataset."""

import tensorflow as tf


class TimeMasking:
    def __init__(self, num_masks=1, mask_factor=4, p_upperbound=1.0, mask_value=0):
        self.num_masks, self.mask_factor, self.p_upperbound = num_masks, mask_factor, p_upperbound
        if mask_value not in {"min", "mean", 0}:
            raise ValueError("mask_value must be in {'min', 'mean', 0}")
        self.mask_value = mask_value

    def _fill(self, features):
        if self.mask_value == "min":
            return tf.math.reduce_min(features)
        if self.mask_value == "mean":
            return tf.math.reduce_mean(features)
        return tf.zeros((), features.dtype)

    def augment(self, features, features_length):
        T, F = tf.shape(features)[0], features.shape[1]
        upper = tf.cast(tf.cast(features_length, tf.float32) * self.p_upperbound, tf.int32)
        fill = self._fill(features)
        for _ in range(self.num_masks):
            t = tf.minimum(tf.random.uniform([], 0, self.mask_factor, dtype=tf.int32), upper)
            t0 = tf.random.uniform([], 0, tf.maximum(T - t, 1), dtype=tf.int32)
            columns = tf.expand_dims(tf.range(T), 1)
            mask = tf.logical_and(columns >= t0, columns < t0 + t)
            features = tf.where(tf.repeat(mask, F, axis=1), fill, features)
        return features, features_length


class Augmentation:
    def __init__(self, methods, prob=0.5):
        self.methods, self.prob = [method for method in methods if method is not None], prob

    def __call__(self, features, length):
        for method in self.methods:
            p = tf.random.uniform([])
            aug_features, aug_length = method.augment(features, length)
            features = tf.where(tf.less(p, self.prob), aug_features, features)
            length = tf.where(tf.less(p, self.prob), aug_length, length)
        return features, length


def preprocess(signal, augmentation=None):
    frames = tf.signal.frame(signal, 8, 4, pad_end=True)
    features = tf.math.log(tf.square(tf.abs(tf.signal.rfft(frames))) + 1e-6)
    length = tf.shape(features)[0]
    if augmentation is not None:
        features, length = augmentation(features, length)
    return features - tf.reduce_mean(features, axis=0, keepdims=True), length


def drive():
    augmentation = Augmentation([TimeMasking(2, mask_value="mean"), None, TimeMasking()])
    signals = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1.0] * 20, [0.5] * 32]))
    signals = signals.map(lambda x: preprocess(x, augmentation), num_parallel_calls=2).padded_batch(2, ([None, 5], []))
    for features, length in signals:
        assert features.shape == [2, 8, 5] and length.numpy().max() == 8
