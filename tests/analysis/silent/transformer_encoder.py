"""Multi-head attention by hand, with a padding mask by keyword, in an encoder stack."""

import tensorflow as tf


def scaled_dot_product_attention(q, k, v, mask):
    logits = tf.matmul(q, k, transpose_b=True)
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    logits = logits / tf.math.sqrt(dk)
    if mask is not None:
        logits += mask * -1e9
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, v), weights


class MultiHead(tf.keras.layers.Layer):
    def __init__(self, d_model, heads):
        super().__init__()
        assert d_model % heads == 0
        self.heads, self.d_model, self.depth = heads, d_model, d_model // heads
        self.wq, self.wk, self.wv = (tf.keras.layers.Dense(d_model) for _ in range(3))
        self.dense = tf.keras.layers.Dense(d_model)

    def split(self, x, batch):
        x = tf.reshape(x, (batch, -1, self.heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, v, k, q, mask=None):
        batch = tf.shape(q)[0]
        q, k, v = self.split(self.wq(q), batch), self.split(self.wk(k), batch), self.split(self.wv(v), batch)
        attended, weights = scaled_dot_product_attention(q, k, v, mask)
        attended = tf.reshape(tf.transpose(attended, perm=[0, 2, 1, 3]), (batch, -1, self.d_model))
        return self.dense(attended), weights


class EncoderLayer(tf.keras.layers.Layer):
    def __init__(self, d_model, heads, dff, rate=0.1):
        super().__init__()
        self.mha = MultiHead(d_model, heads)
        self.ffn = tf.keras.Sequential([tf.keras.layers.Dense(dff, activation="relu"), tf.keras.layers.Dense(d_model)])
        self.norm1, self.norm2 = tf.keras.layers.LayerNormalization(), tf.keras.layers.LayerNormalization()
        self.drop = tf.keras.layers.Dropout(rate)

    def call(self, x, training=None, mask=None):
        attended, _ = self.mha(x, x, x, mask=mask)
        x = self.norm1(x + self.drop(attended, training=training))
        return self.norm2(x + self.drop(self.ffn(x), training=training))


class Encoder(tf.keras.Model):
    def __init__(self, layers_count=2, d_model=8):
        super().__init__()
        self.d_model = d_model
        self.embedding = tf.keras.layers.Embedding(30, d_model)
        self.stack = [EncoderLayer(d_model, 2, 16) for _ in range(layers_count)]

    def call(self, tokens, training=None, padding_mask=None):
        x = self.embedding(tokens) * tf.math.sqrt(tf.cast(self.d_model, tf.float32))
        for layer in self.stack:
            x = layer(x, training=training, mask=padding_mask)
        return x


encoder = Encoder()


@tf.function(input_signature=[tf.TensorSpec([None, None], tf.int64)])
def encode(tokens):
    mask = tf.cast(tf.math.equal(tokens, 0), tf.float32)[:, tf.newaxis, tf.newaxis, :]
    return encoder(tokens, training=True, padding_mask=mask)


def drive():
    encode(tf.constant([[1, 2, 0]], tf.int64))
    encoder(tf.constant([[1, 2, 0]], tf.int64))
