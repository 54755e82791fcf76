"""Loss and metric subclasses, compiled and called by hand with integer labels."""

import tensorflow as tf
from tensorflow import keras


class FocalLoss(keras.losses.Loss):
    def __init__(self, gamma=2.0, **kwargs):
        super().__init__(**kwargs)
        self.gamma = gamma

    def call(self, y_true, y_pred):
        y_pred = tf.clip_by_value(y_pred, 1e-7, 1.0 - 1e-7)
        cross = -(y_true * tf.math.log(y_pred) + (1.0 - y_true) * tf.math.log(1.0 - y_pred))
        return tf.reduce_mean(tf.pow(1.0 - y_pred, self.gamma) * cross, axis=-1)


class F1(keras.metrics.Metric):
    def __init__(self, name="f1", threshold=0.5, **kwargs):
        super().__init__(name=name, **kwargs)
        self.threshold = threshold
        self.tp = self.add_weight(name="tp", initializer="zeros")
        self.fp = self.add_weight(name="fp", initializer="zeros")
        self.fn = self.add_weight(name="fn", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true = tf.cast(y_true, tf.bool)
        y_pred = y_pred > self.threshold
        hit = tf.cast(tf.logical_and(y_true, y_pred), self.dtype)
        if sample_weight is not None:
            hit = hit * tf.cast(sample_weight, self.dtype)
        self.tp.assign_add(tf.reduce_sum(hit))
        self.fp.assign_add(tf.reduce_sum(tf.cast(tf.logical_and(tf.logical_not(y_true), y_pred), self.dtype)))
        self.fn.assign_add(tf.reduce_sum(tf.cast(tf.logical_and(y_true, tf.logical_not(y_pred)), self.dtype)))

    def result(self):
        precision = self.tp / (self.tp + self.fp + 1e-6)
        recall = self.tp / (self.tp + self.fn + 1e-6)
        return 2.0 * precision * recall / (precision + recall + 1e-6)

    def reset_state(self):
        for variable in (self.tp, self.fp, self.fn):
            variable.assign(0.0)


loss_fn, metric = FocalLoss(), F1()
model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])


@tf.function
def evaluate(x, labels):
    predicted = model(x, training=False)
    metric.update_state(labels, predicted)
    return loss_fn(labels, predicted) * 2.0


def drive():
    x, labels = tf.ones([4, 3]), tf.constant([[0], [1], [1], [0]])
    evaluate(x, labels)
    model.compile("sgd", FocalLoss(gamma=1.0), metrics=[F1()])
    model.fit(x, labels, verbose=0)
    print(float(metric.result()))
