"""A cell of the project's own in a Keras RNN, with a list of states."""

import tensorflow as tf


class Cell(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.state_size = [units, units]
        self.gate = tf.keras.layers.Dense(units, activation="sigmoid")
        self.value = tf.keras.layers.Dense(units, activation="tanh")

    def call(self, inputs, states, training=None):
        hidden, carry = states
        joined = tf.concat([inputs, hidden], axis=-1)
        gate = self.gate(joined)
        carry = gate * carry + (1.0 - gate) * self.value(joined)
        return carry, [carry, hidden]


def drive():
    layer = tf.keras.layers.RNN(Cell(4), return_sequences=True, return_state=True)
    output, *states = layer(tf.ones([2, 5, 3]))
    assert output.shape == (2, 5, 4) and len(states) == 2
