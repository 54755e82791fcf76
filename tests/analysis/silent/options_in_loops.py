"""A layer compared under each of its options: activations, flags and None, each of which is traced once."""

import tensorflow as tf


@tf.function
def dense(x, w, activation="relu", *, alpha=None, normalize: bool = False):
    x = tf.matmul(x, w)
    function = {"relu": tf.nn.relu, "tanh": tf.tanh}.get(activation, tf.identity)
    x = function(x)
    if alpha is not None:
        x *= alpha
    return x / tf.norm(x) if normalize else x


@tf.function
def pool(x, average=False, keepdims=False):
    reduce = tf.reduce_mean if average else tf.reduce_max
    return reduce(x, axis=1, keepdims=keepdims)


def drive():
    x, w = tf.ones([2, 3]), tf.ones([3, 4])
    results = {}
    for activation in ("relu", "tanh", None):
        alpha = 0.5 if activation else None
        results[activation] = dense(x, w, activation, alpha=alpha, normalize=activation is None)
    for average in (True, False):
        for keepdims in (True, False):
            results[average, keepdims] = pool(x, average, keepdims)
    assert len(results) == 7 and results["relu"].shape == [2, 4]
