"""An encoder and a decoder with Bahdanau attention and teacher forcing."""

import tensorflow as tf


class Encoder(tf.keras.Model):
    def __init__(self, vocab, dim, units):
        super().__init__()
        self.units = units
        self.embedding = tf.keras.layers.Embedding(vocab, dim)
        self.gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)

    def call(self, x, hidden):
        x = self.embedding(x)
        output, state = self.gru(x, initial_state=hidden)
        return output, state

    def initialize(self, batch):
        return tf.zeros((batch, self.units))


class Attention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.w1, self.w2, self.v = (tf.keras.layers.Dense(n) for n in (units, units, 1))

    def call(self, query, values):
        score = self.v(tf.nn.tanh(self.w1(tf.expand_dims(query, 1)) + self.w2(values)))
        weights = tf.nn.softmax(score, axis=1)
        return tf.reduce_sum(weights * values, axis=1), weights


class Decoder(tf.keras.Model):
    def __init__(self, vocab, dim, units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab, dim)
        self.gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True)
        self.fc, self.attention = tf.keras.layers.Dense(vocab), Attention(units)

    def call(self, x, hidden, enc_output):
        context, weights = self.attention(hidden, enc_output)
        x = tf.concat([tf.expand_dims(context, 1), self.embedding(x)], axis=-1)
        output, state = self.gru(x)
        output = tf.reshape(output, (-1, output.shape[2]))
        return self.fc(output), state, weights


encoder, decoder = Encoder(20, 4, 6), Decoder(20, 4, 6)
optimizer = tf.keras.optimizers.Adam()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def loss_function(real, pred):
    mask = tf.math.logical_not(tf.math.equal(real, 0))
    loss = loss_object(real, pred)
    loss *= tf.cast(mask, dtype=loss.dtype)
    return tf.reduce_mean(loss)


@tf.function
def train_step(inp, targ, hidden):
    loss = 0.0
    with tf.GradientTape() as tape:
        enc_output, dec_hidden = encoder(inp, hidden)
        dec_input = tf.expand_dims([1] * targ.shape[0], 1)
        for t in range(1, targ.shape[1]):
            predictions, dec_hidden, _ = decoder(dec_input, dec_hidden, enc_output)
            loss += loss_function(targ[:, t], predictions)
            dec_input = tf.expand_dims(targ[:, t], 1)
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss / int(targ.shape[1])


def drive():
    hidden = encoder.initialize(2)
    train_step(tf.ones([2, 4], tf.int32), tf.ones([2, 3], tf.int32), hidden)
