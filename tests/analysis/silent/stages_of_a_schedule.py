"""A traced step made again for each stage of growing resolution, with the flags of that stage as Python values."""

import tensorflow as tf


class Generator(tf.keras.Model):
    def __init__(self, resolutions):
        super().__init__()
        self.resolutions = resolutions
        self.blocks = {str(r): tf.keras.layers.Conv2D(4, 3, padding="same", activation="relu") for r in resolutions}
        self.to_rgb = tf.keras.layers.Conv2D(3, 1)

    def call(self, x, res=4, alpha=1.0):
        for r in self.resolutions:
            if r > res:
                break
            if r > self.resolutions[0]:
                x = tf.repeat(tf.repeat(x, 2, axis=1), 2, axis=2)
            previous, x = x, self.blocks[str(r)](x)
        return self.to_rgb(previous * (1.0 - alpha) + x * alpha)


def train(resolutions=(4, 8), steps=2):
    generator = Generator(resolutions)
    for r in resolutions:
        generator(tf.zeros([1, 4, 4, 4]), res=r)
    optimizer = tf.keras.optimizers.SGD(0.01)
    optimizer.build(generator.trainable_variables)
    losses = []
    for res in resolutions:

        def train_step(noise, alpha, res=res):
            with tf.GradientTape() as tape:
                images = generator(noise, res=res, alpha=alpha)
                loss = tf.reduce_mean(tf.square(images))
            gradients = tape.gradient(loss, generator.trainable_variables)
            pairs = [(g, v) for g, v in zip(gradients, generator.trainable_variables) if g is not None]
            for gradient, variable in pairs:
                variable.assign_sub(0.01 * gradient)
            return loss

        step_function = tf.function(train_step)
        for step in range(steps):
            alpha = tf.constant((step + 1) / steps)
            losses.append(float(step_function(tf.ones([1, 4, 4, 4]), alpha)))
    return losses


def drive():
    assert len(train()) == 4
