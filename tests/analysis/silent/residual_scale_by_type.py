"""A residual factor that is a number, a weight or a method's name, decided in the constructor and used in `call`."""

import tensorflow as tf


class Residual(tf.keras.layers.Layer):
    def __init__(self, factor="rezero", initializer="ones", **kwargs):
        super().__init__(**kwargs)
        self._factor, self._initializer = factor, initializer

    def build(self, input_shape):
        if self._factor == "rezero":
            self.residual_factor = self.add_weight(name="alpha", shape=[], initializer="zeros", trainable=True)
        else:
            assert isinstance(self._factor, (int, float))
            self.residual_factor = float(self._factor)
        super().build(input_shape)

    def call(self, inputs):
        x, residual_x = inputs
        alpha = tf.cast(self.residual_factor, residual_x.dtype)
        return x + alpha * residual_x

    def compute_mask(self, inputs, mask=None):
        return mask

    def compute_output_shape(self, input_shape):
        return input_shape[0]


class Subsampling(tf.keras.layers.Layer):
    def __init__(self, strides=(2, 1), **kwargs):
        super().__init__(**kwargs)
        self.convolutions = [tf.keras.layers.Conv1D(4, 3, s, padding="causal") for s in strides]
        self.time_reduction_factor = 1
        for s in strides:
            self.time_reduction_factor *= s

    def call(self, inputs, training=False):
        outputs, lengths = inputs
        for convolution in self.convolutions:
            outputs = tf.nn.relu(convolution(outputs, training=training))
            lengths = tf.cast(tf.math.ceil(lengths / convolution.strides[0]), tf.int32)
        return outputs, lengths

    def compute_mask(self, inputs, mask=None):
        outputs, lengths = inputs
        size = outputs.shape[1] if outputs.shape[1] is not None else tf.shape(outputs)[1]
        return tf.sequence_mask(lengths, maxlen=-(-size // self.time_reduction_factor)), None


subsampling = Subsampling()
blocks = [(tf.keras.layers.Dense(4), Residual(factor)) for factor in ("rezero", 0.5, 1)]


@tf.function
def encode(inputs, lengths, training=False):
    x, lengths = subsampling([inputs, lengths], training=training)
    for dense, residual in blocks:
        x = residual([x, dense(x)])
    return x, lengths


def drive():
    x, lengths = encode(tf.ones([2, 8, 3]), tf.constant([8, 5]), training=True)
    assert x.shape == [2, 4, 4] and lengths.numpy().tolist() == [4, 3]
