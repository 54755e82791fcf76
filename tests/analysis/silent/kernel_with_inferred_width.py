"""A kernel that sets its width from the first data it sees, and drift measured by permuted kernel matrices."""

import numpy as np
import tensorflow as tf


def squared_distance(x, y, a_min=1e-30, a_max=1e30):
    x2 = tf.reduce_sum(x**2, axis=-1, keepdims=True)
    y2 = tf.reduce_sum(y**2, axis=-1, keepdims=True)
    return tf.clip_by_value(x2 + tf.transpose(y2, (1, 0)) - 2.0 * x @ tf.transpose(y, (1, 0)), a_min, a_max)


def sigma_median(x, y, dist):
    n = min(x.shape[0], y.shape[0])
    n = n if tf.reduce_all(x[:n] == y[:n]) and x.shape == y.shape else 0
    n_median = n + (tf.math.reduce_prod(dist.shape) - n) // 2 - 1
    return tf.expand_dims((0.5 * tf.sort(tf.reshape(dist, (-1,)))[n_median]) ** 0.5, axis=0)


class GaussianRBF(tf.keras.Model):
    def __init__(self, sigma=None):
        super().__init__()
        if sigma is None:
            self.log_sigma = self.add_weight(shape=(1,), initializer="zeros", trainable=False)
            self.init_required = True
        else:
            sigma = tf.cast(tf.reshape(sigma, (-1,)), dtype=tf.keras.backend.floatx())
            initializer = tf.keras.initializers.Constant(tf.math.log(sigma))
            self.log_sigma = self.add_weight(shape=(sigma.shape[0],), initializer=initializer, trainable=False)
            self.init_required = False

    @property
    def sigma(self):
        return tf.math.exp(self.log_sigma)

    def call(self, x, y, infer_sigma=False):
        y = tf.cast(y, x.dtype)
        x, y = tf.reshape(x, (x.shape[0], -1)), tf.reshape(y, (y.shape[0], -1))
        dist = squared_distance(x, y)
        if infer_sigma or self.init_required:
            self.log_sigma.assign(tf.math.log(sigma_median(x, y, dist)))
            self.init_required = False
        gamma = tf.constant(1.0 / (2.0 * self.sigma**2), dtype=x.dtype)
        kernel_mat = tf.exp(-tf.concat([(g * dist)[None, :, :] for g in gamma], axis=0))
        return tf.reduce_mean(kernel_mat, axis=0)


def mmd2(kernel_mat, m, permute=False, zero_diag=True):
    n = kernel_mat.shape[0] - m
    if zero_diag:
        kernel_mat = kernel_mat - tf.linalg.diag(tf.linalg.diag_part(kernel_mat))
    if permute:
        idx = np.random.permutation(kernel_mat.shape[0])
        kernel_mat = tf.gather(tf.gather(kernel_mat, indices=idx, axis=0), indices=idx, axis=1)
    k_xx, k_yy, k_xy = kernel_mat[:-m, :-m], kernel_mat[-m:, -m:], kernel_mat[-m:, :-m]
    c_xx, c_yy = 1 / (n * (n - 1)), 1 / (m * (m - 1))
    return c_xx * tf.reduce_sum(k_xx) + c_yy * tf.reduce_sum(k_yy) - 2.0 * tf.reduce_mean(k_xy)


def drive():
    x = tf.random.normal([6, 2, 2])
    for kernel in (GaussianRBF(), GaussianRBF(np.array([0.5, 1.0]))):
        matrix = kernel(x, x, infer_sigma=True) if kernel.init_required else kernel(x, x)
        stats = [float(mmd2(matrix, 3, permute=True)) for _ in range(3)]
        assert len(stats) == 3 and matrix.shape == [6, 6]
