"""A WGAN-GP as a Keras model with train_step."""

import tensorflow as tf
from tensorflow import keras


class WGAN(keras.Model):
    def __init__(self, discriminator, generator, latent_dim, extra_steps=2):
        super().__init__()
        self.discriminator, self.generator = discriminator, generator
        self.latent_dim, self.d_steps, self.gp_weight = latent_dim, extra_steps, 10.0

    def compile(self, d_optimizer, g_optimizer, d_loss_fn, g_loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer = d_optimizer, g_optimizer
        self.d_loss_fn, self.g_loss_fn = d_loss_fn, g_loss_fn

    def gradient_penalty(self, batch_size, real, fake):
        alpha = tf.random.uniform([batch_size, 1], 0.0, 1.0)
        interpolated = real + alpha * (fake - real)
        with tf.GradientTape() as tape:
            tape.watch(interpolated)
            pred = self.discriminator(interpolated, training=True)
        grads = tape.gradient(pred, [interpolated])[0]
        norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=[1]))
        return tf.reduce_mean((norm - 1.0) ** 2)

    def train_step(self, real):
        if isinstance(real, tuple):
            real = real[0]
        batch_size = tf.shape(real)[0]
        for _ in range(self.d_steps):
            latent = tf.random.normal(shape=(batch_size, self.latent_dim))
            with tf.GradientTape() as tape:
                fake = self.generator(latent, training=True)
                d_cost = self.d_loss_fn(
                    real_img=self.discriminator(real, training=True), fake_img=self.discriminator(fake, training=True)
                )
                d_loss = d_cost + self.gradient_penalty(batch_size, real, fake) * self.gp_weight
            grads = tape.gradient(d_loss, self.discriminator.trainable_variables)
            self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_variables))
        latent = tf.random.normal(shape=(batch_size, self.latent_dim))
        with tf.GradientTape() as tape:
            g_loss = self.g_loss_fn(self.discriminator(self.generator(latent, training=True), training=True))
        grads = tape.gradient(g_loss, self.generator.trainable_variables)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_variables))
        return {"d_loss": d_loss, "g_loss": g_loss}


def drive():
    d = keras.Sequential([keras.Input((4,)), keras.layers.Dense(4), keras.layers.Dense(1)])
    g = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])
    wgan = WGAN(d, g, 3)
    wgan.compile(
        keras.optimizers.Adam(),
        keras.optimizers.Adam(),
        lambda real_img, fake_img: tf.reduce_mean(fake_img) - tf.reduce_mean(real_img),
        lambda fake_img: -tf.reduce_mean(fake_img),
    )
    wgan.fit(tf.ones([4, 4]), verbose=0)
