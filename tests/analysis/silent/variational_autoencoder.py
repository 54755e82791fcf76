"""A VAE: a sampling layer on a list, train_step with trackers."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Sampling(layers.Layer):
    def call(self, inputs):
        z_mean, z_log_var = inputs
        epsilon = tf.random.normal(shape=tf.shape(z_mean))
        return z_mean + tf.exp(0.5 * z_log_var) * epsilon


def make_encoder():
    inputs = keras.Input(shape=(6,))
    x = layers.Dense(8, activation="relu")(inputs)
    z_mean, z_log_var = layers.Dense(2)(x), layers.Dense(2)(x)
    z = Sampling()([z_mean, z_log_var])
    return keras.Model(inputs, [z_mean, z_log_var, z])


class VAE(keras.Model):
    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.decoder = encoder, decoder
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.kl_tracker = keras.metrics.Mean(name="kl")

    @property
    def metrics(self):
        return [self.loss_tracker, self.kl_tracker]

    def call(self, inputs):
        _, _, z = self.encoder(inputs)
        return self.decoder(z)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            z_mean, z_log_var, z = self.encoder(data)
            rec = self.decoder(z)
            rec_loss = tf.reduce_mean(tf.reduce_sum(tf.square(data - rec), axis=-1))
            kl = -0.5 * (1 + z_log_var - tf.square(z_mean) - tf.exp(z_log_var))
            kl = tf.reduce_mean(tf.reduce_sum(kl, axis=1))
            total = rec_loss + kl
        grads = tape.gradient(total, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.loss_tracker.update_state(total)
        self.kl_tracker.update_state(kl)
        return {m.name: m.result() for m in self.metrics}


def drive():
    vae = VAE(make_encoder(), keras.Sequential([layers.Dense(8, activation="relu"), layers.Dense(6)]))
    vae.compile(optimizer="adam")
    vae.fit(tf.ones([8, 6]), epochs=1, batch_size=4, verbose=0)
    vae(tf.ones([2, 6]))
