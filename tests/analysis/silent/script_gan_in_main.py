"""Two networks trained against each other by one traced step."""

import tensorflow as tf


def dense(sizes):
    layers = [tf.keras.layers.Dense(size, activation="relu") for size in sizes[:-1]]
    return tf.keras.Sequential([*layers, tf.keras.layers.Dense(sizes[-1])])


def main():
    generator, critic = dense([8, 2]), dense([8, 1])
    generator(tf.zeros([1, 3]))
    critic(tf.zeros([1, 2]))
    one, two = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)
    bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def step(real):
        noise = tf.random.normal([tf.shape(real)[0], 3])
        with tf.GradientTape() as g, tf.GradientTape() as c:
            fake = generator(noise, training=True)
            on_real, on_fake = critic(real, training=True), critic(fake, training=True)
            g_loss = bce(tf.ones_like(on_fake), on_fake)
            c_loss = bce(tf.ones_like(on_real), on_real) + bce(tf.zeros_like(on_fake), on_fake)
        one.apply_gradients(zip(g.gradient(g_loss, generator.trainable_variables), generator.trainable_variables))
        two.apply_gradients(zip(c.gradient(c_loss, critic.trainable_variables), critic.trainable_variables))
        return g_loss, c_loss

    for _ in range(3):
        step(tf.random.normal([4, 2]))


def drive():
    main()
