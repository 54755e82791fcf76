"""Kernels over any leading dimensions: permutations with an Ellipsis, and an optional second argument."""

import copy

import tensorflow as tf


def leading_transpose(tensor, perm, leading_dim=0):
    perm = copy.copy(perm)
    idx = perm.index(...)
    perm[idx] = leading_dim
    rank = tf.rank(tensor)
    perm_tf = perm % rank
    leading_dims = tf.range(rank - len(perm) + 1)
    perm = tf.concat([perm_tf[:idx], leading_dims, perm_tf[idx + 1 :]], 0)
    return tf.transpose(tensor, perm)


def broadcasting_elementwise(op, a, b):
    flatres = op(tf.reshape(a, [-1, 1]), tf.reshape(b, [1, -1]))
    return tf.reshape(flatres, tf.concat([tf.shape(a), tf.shape(b)], 0))


def square_distance(X, X2=None):
    if X2 is None:
        Xs = tf.reduce_sum(tf.square(X), axis=-1, keepdims=True)
        dist = -2 * tf.matmul(X, X, transpose_b=True)
        dist += Xs + tf.linalg.adjoint(Xs)
        return dist
    Xs = tf.reduce_sum(tf.square(X), axis=-1)
    X2s = tf.reduce_sum(tf.square(X2), axis=-1)
    dist = -2 * tf.tensordot(X, X2, [[-1], [-1]])
    dist += broadcasting_elementwise(tf.add, Xs, X2s)
    return dist


class SquaredExponential(tf.Module):
    def __init__(self):
        self.variance = tf.Variable(1.0, dtype=tf.float64)

    def __call__(self, X, X2=None, *, full_cov=True):
        if not full_cov and X2 is not None:
            raise ValueError("Ambiguous inputs: `full_cov=False` and `X2` are incompatible.")
        if not full_cov:
            return tf.fill(tf.shape(X)[:-1], tf.squeeze(self.variance))
        return self.variance * tf.exp(-0.5 * square_distance(X, X2))


kernel = SquaredExponential()


@tf.function
def predict(X, X_new, full_cov=False):
    Kmm = kernel(X) + tf.linalg.eye(tf.shape(X)[-2], dtype=X.dtype) * 1e-6
    Kmn = kernel(X, X_new)
    A = tf.linalg.triangular_solve(tf.linalg.cholesky(Kmm), Kmn)
    if full_cov:
        var = kernel(X_new) - tf.matmul(A, A, transpose_a=True)
    else:
        var = kernel(X_new, full_cov=False) - tf.reduce_sum(tf.square(A), -2)
    return leading_transpose(A[None], [-1, ..., -2]), var


def drive():
    x, y = tf.random.normal([4, 2], dtype=tf.float64), tf.random.normal([3, 2], dtype=tf.float64)
    assert predict(x, y)[1].shape == [3]
    assert predict(x, y, full_cov=True)[1].shape == [3, 3]
