"""Ranking metrics with their own functions, sorted or not, and one extraction shared by several."""

from typing import Optional

import tensorflow as tf


def shuffle_ties_and_top_k(k, y_true, y_pred, seed=None):
    size = tf.shape(y_pred)[-1]
    permutation = tf.argsort(tf.random.uniform(tf.shape(y_pred), seed=seed), axis=-1)
    y_pred = tf.gather(y_pred, permutation, batch_dims=1)
    y_true = tf.gather(y_true, permutation, batch_dims=1)
    counts = tf.reduce_sum(y_true, axis=-1)
    top, indices = tf.math.top_k(y_pred, tf.minimum(k, size))
    return top, tf.gather(y_true, indices, batch_dims=1), counts


def precision_at(y_true, y_pred, counts: Optional[tf.Tensor] = None, k: int = 5):
    return tf.cast(tf.reduce_mean(y_true[:, : int(k)], axis=-1), tf.float32)


def recall_at(y_true, y_pred, counts: Optional[tf.Tensor] = None, k: int = 5):
    return tf.math.divide_no_nan(tf.reduce_sum(y_true[:, :k], axis=-1), tf.clip_by_value(counts, 1, float(k)))


def dcg_at(y_true, y_pred, counts=None, k: int = 5, log_base: int = 2):
    positions = tf.cast(tf.range(k), tf.float32)
    base = tf.math.log(tf.convert_to_tensor([log_base], dtype=tf.float32))
    discounts = 1 / (tf.math.log(positions + 2) / base)
    gains = y_true[:, :k] * tf.repeat(tf.expand_dims(discounts[:k], 0), tf.shape(y_true)[0], axis=0)
    return tf.reduce_sum(gains, axis=-1)


class TopKMetric(tf.keras.metrics.Mean):
    def __init__(self, fn, k=5, pre_sorted=False, name=None, log_base=None, **kwargs):
        super().__init__(name=None if name is None else f"{name}_{k}", **kwargs)
        self._fn, self.k, self.pre_sorted = fn, k, pre_sorted
        self._fn_kwargs = {} if log_base is None else {"log_base": log_base}
        self.label_relevant_counts = None

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true, y_pred = tf.cast(y_true, self.dtype), tf.cast(y_pred, self.dtype)
        tf.debugging.assert_greater_equal(tf.shape(y_true)[-1], self.k, f"{self.name}: cutoff {self.k}")
        counts = self.label_relevant_counts
        if not self.pre_sorted:
            y_pred, y_true, counts = shuffle_ties_and_top_k(self.k, y_true, y_pred)
        elif counts is None:
            raise ValueError("Give label_relevant_counts if y_true was sorted.")
        matches = self._fn(y_true, y_pred, counts, k=self.k, **self._fn_kwargs)
        super().update_state(matches, sample_weight=sample_weight)


class Aggregator(tf.keras.metrics.Metric):
    def __init__(self, *metrics, **kwargs):
        super().__init__(**kwargs)
        self.topk_metrics = list(metrics)
        self.k = max(metric.k for metric in metrics)

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_pred, y_true, counts = shuffle_ties_and_top_k(self.k, tf.cast(y_true, tf.float32), y_pred)
        for metric in self.topk_metrics:
            metric.pre_sorted, metric.label_relevant_counts = True, counts
            metric.update_state(y_true, y_pred, sample_weight)
            metric.label_relevant_counts = None

    def result(self):
        return {metric.name: metric.result() for metric in self.topk_metrics}


aggregator = Aggregator(TopKMetric(recall_at, 2, name="recall"), TopKMetric(dcg_at, 3, name="dcg", log_base=3))
precision = TopKMetric(precision_at, 2, name="precision")


@tf.function
def evaluate(y_true, y_pred):
    precision.update_state(y_true, y_pred)
    aggregator.update_state(y_true, y_pred)


def drive():
    evaluate(tf.constant([[0, 1, 1, 0]]), tf.constant([[0.1, 0.9, 0.8, 0.2]]))
    print({name: float(value) for name, value in aggregator.result().items()}, float(precision.result()))
