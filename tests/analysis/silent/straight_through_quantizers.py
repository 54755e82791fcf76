"""Quantizers with gradients of their own, switched off by a context manager around the call."""

import contextlib
import threading

import tensorflow as tf

_scope = threading.local()
_scope.should_quantize = False


@contextlib.contextmanager
def quantized_scope(quantize):
    backup = should_quantize()
    _scope.should_quantize = quantize
    yield quantize
    _scope.should_quantize = backup


def should_quantize():
    return getattr(_scope, "should_quantize", False)


def sign(x):
    return tf.sign(tf.sign(x) + 0.1)


def ste_sign(x, clip_value=1.0):
    @tf.custom_gradient
    def _call(x):
        def grad(dy):
            if clip_value is None:
                return dy
            return tf.where(tf.math.less_equal(tf.math.abs(x), clip_value), dy, tf.zeros_like(dy))

        return sign(x), grad

    return _call(x)


@tf.custom_gradient
def approx_sign(x):
    def grad(dy):
        abs_x = tf.math.abs(x)
        return tf.where(tf.math.less_equal(abs_x, 1.0), (1 - abs_x) * 2 * dy, tf.zeros_like(dy))

    return sign(x), grad


class QuantDense(tf.keras.layers.Dense):
    def __init__(self, units, quantizer=None, **kwargs):
        super().__init__(units, **kwargs)
        self.quantizer = quantizer

    def call(self, inputs):
        kernel = self.kernel
        if self.quantizer is not None and should_quantize():
            kernel = self.quantizer(kernel)
        return tf.matmul(inputs, kernel) + self.bias


layer_one, layer_two = QuantDense(4, ste_sign), QuantDense(1, approx_sign)


@tf.function
def gradients(x):
    with quantized_scope(True), tf.GradientTape() as tape:
        loss = tf.reduce_mean(layer_two(ste_sign(layer_one(x), clip_value=None)))
    return tape.gradient(loss, layer_one.trainable_variables)


def drive():
    kernel, bias = gradients(tf.ones([2, 3]))
    assert kernel.shape == [3, 4] and bias.shape == [4]
    assert not should_quantize()
