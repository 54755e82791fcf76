"""A k-bit quantizer for weights or activations, whose custom gradient is made inside `call`."""

import tensorflow as tf


class DoReFa(tf.keras.layers.Layer):
    precision = None

    def __init__(self, k_bit=2, mode="activations", **kwargs):
        self.precision = k_bit
        if mode not in ("activations", "weights"):
            raise ValueError(f"Invalid mode {mode}.")
        self.mode = mode
        super().__init__(**kwargs)

    def weight_preprocess(self, inputs):
        limited = tf.math.tanh(inputs)
        dividend = tf.stop_gradient(tf.math.reduce_max(tf.math.abs(limited)))
        return tf.math.divide_no_nan(limited, 2.0 * dividend) + 0.5

    def call(self, inputs):
        if self.mode == "activations":
            inputs = tf.clip_by_value(inputs, 0.0, 1.0)
        elif self.mode == "weights":
            inputs = self.weight_preprocess(inputs)
        else:
            raise ValueError(f"Invalid mode {self.mode}.")

        @tf.custom_gradient
        def _k_bit_with_identity_grad(x):
            n = 2**self.precision - 1
            return tf.round(x * n) / n, lambda dy: dy

        outputs = _k_bit_with_identity_grad(inputs)
        if self.mode == "weights":
            outputs = 2.0 * outputs - 1.0
        return outputs

    def get_config(self):
        return {**super().get_config(), "k_bit": self.precision, "mode": self.mode}


def drive():
    inputs = tf.keras.Input([3])
    outputs = DoReFa(3)(tf.keras.layers.Dense(2)(DoReFa(2, mode="weights")(inputs)))
    model = tf.keras.Model(inputs, outputs)
    model.compile("sgd", "mse")
    model.fit(tf.ones([4, 3]), tf.zeros([4, 2]), verbose=0)
