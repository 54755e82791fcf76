"""A model with a step of its own, trackers in a dict and an optional weight."""

import tensorflow as tf
from tensorflow import keras


class VAE(keras.Model):
    def __init__(self, latent=2, beta=None, **kwargs):
        super().__init__(**kwargs)
        self.encoder = keras.Sequential([keras.layers.Dense(8, "relu"), keras.layers.Dense(2 * latent)])
        self.decoder = keras.Sequential([keras.layers.Dense(8, "relu"), keras.layers.Dense(4)])
        self.beta = 1.0 if beta is None else beta
        self.trackers = {name: keras.metrics.Mean(name=name) for name in ("loss", "kl")}
        self.seed = keras.random.SeedGenerator(1)

    @property
    def metrics(self):
        return list(self.trackers.values())

    def call(self, x):
        mean, log_var = tf.split(self.encoder(x), 2, axis=-1)
        z = mean + tf.exp(0.5 * log_var) * keras.random.normal(tf.shape(mean), seed=self.seed)
        return (self.decoder(z), mean, log_var)

    def train_step(self, data):
        if isinstance(data, tuple):
            data = data[0]
        with tf.GradientTape() as tape:
            out, mean, log_var = self(data, training=True)
            kl = -0.5 * tf.reduce_mean(1 + log_var - mean**2 - tf.exp(log_var))
            loss = tf.reduce_mean((out - data) ** 2) + self.beta * kl
        grads = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        for name, value in (("loss", loss), ("kl", kl)):
            self.trackers[name].update_state(value)
        return {m.name: m.result() for m in self.metrics}


def drive():
    v = VAE()
    v.compile("adam")
    v.fit(tf.ones([8, 4]), epochs=2, verbose=0)
    VAE(beta=4.0)(tf.ones([2, 4]))
