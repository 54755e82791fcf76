"""A GAN with its own train step."""

import tensorflow as tf
from tensorflow.keras import layers

generator = tf.keras.Sequential([layers.Dense(8, activation="relu"), layers.Dense(4, activation="tanh")])
discriminator = tf.keras.Sequential([layers.Dense(8), layers.LeakyReLU(), layers.Dropout(0.3), layers.Dense(1)])
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
g_opt, d_opt = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4)


def discriminator_loss(real, fake):
    return cross_entropy(tf.ones_like(real), real) + cross_entropy(tf.zeros_like(fake), fake)


def generator_loss(fake):
    return cross_entropy(tf.ones_like(fake), fake)


@tf.function
def train_step(real):
    noise = tf.random.normal([tf.shape(real)[0], 3])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated = generator(noise, training=True)
        real_out = discriminator(real, training=True)
        fake_out = discriminator(generated, training=True)
        gen_loss, disc_loss = generator_loss(fake_out), discriminator_loss(real_out, fake_out)
    g = gen_tape.gradient(gen_loss, generator.trainable_variables)
    d = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    g_opt.apply_gradients(zip(g, generator.trainable_variables))
    d_opt.apply_gradients(zip(d, discriminator.trainable_variables))
    return {"g": gen_loss, "d": disc_loss}


def drive():
    for _ in range(2):
        losses = train_step(tf.ones([4, 4]))
    print({name: float(value) for name, value in losses.items()})
