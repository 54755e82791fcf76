"""Cells of one's own in keras.layers.RNN, and called step by step."""

import tensorflow as tf
from tensorflow import keras


class MinimalCell(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.state_size = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[-1], self.units), initializer="uniform", name="kernel")
        self.recurrent = self.add_weight(shape=(self.units, self.units), initializer="uniform", name="recurrent")
        self.built = True

    def call(self, inputs, states, training=None):
        previous = states[0]
        output = tf.tanh(tf.matmul(inputs, self.kernel) + tf.matmul(previous, self.recurrent))
        return output, [output]


class PairCell(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units, self.state_size = units, [units, units]
        self.gates = keras.layers.Dense(2 * units)

    def call(self, inputs, states):
        h, c = states
        f, g = tf.split(self.gates(tf.concat([inputs, h], axis=-1)), 2, axis=-1)
        c = tf.sigmoid(f) * c + tf.tanh(g)
        return tf.tanh(c), [tf.tanh(c), c]


class Unrolled(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.cell, self.units = PairCell(units), units

    def call(self, sequence, initial_state=None, training=None):
        if initial_state is None:
            zeros = tf.zeros([tf.shape(sequence)[0], self.units])
            initial_state = [zeros, zeros]
        state, outputs = initial_state, []
        for step in tf.unstack(sequence, axis=1):
            output, state = self.cell(step, state)
            outputs.append(output)
        return tf.stack(outputs, axis=1), state


def drive():
    x = tf.ones([2, 3, 4])
    keras.layers.RNN(MinimalCell(5))(x)
    keras.layers.RNN([MinimalCell(5), MinimalCell(3)], return_sequences=True)(x)
    out, state = Unrolled(5)(x)
    Unrolled(5)(x, initial_state=state)
    inputs = keras.Input((3, 4))
    keras.Model(inputs, keras.layers.RNN(PairCell(2))(inputs))(x)
