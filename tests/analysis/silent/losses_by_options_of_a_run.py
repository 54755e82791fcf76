"""Steps of a training loop with flags: each of two known values is traced once, on purpose."""

import tensorflow as tf

LAZY_REGULARIZATION = 2


class Trainer:
    def __init__(self):
        self.net = tf.keras.Sequential([tf.keras.layers.Input([3]), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.01)
        self.optimizer.build(self.net.trainable_variables)
        self.history = {"loss": [], "penalty": []}

    def d_logistic_gp(self, images):
        with tf.GradientTape() as tape:
            tape.watch(images)
            scores = tf.reduce_sum(self.net(images))
        gradients = tape.gradient(scores, images)
        penalty = tf.reduce_sum(tf.square(gradients), axis=list(range(1, len(gradients.shape))))
        return tf.math.softplus(scores), penalty

    @tf.function
    def step(self, images, with_penalty=False):
        penalty = tf.constant(0.0)
        with tf.GradientTape() as tape:
            if with_penalty:
                loss, penalty = self.d_logistic_gp(images)
                penalty = 0.5 * tf.reduce_mean(penalty)
                loss += penalty * LAZY_REGULARIZATION
            else:
                loss = tf.math.softplus(tf.reduce_sum(self.net(images)))
        gradients = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))
        return loss, penalty

    def train(self, dataset):
        for number, images in enumerate(dataset):
            loss, penalty = self.step(images, with_penalty=(number + 1) % LAZY_REGULARIZATION == 0)
            self.history["loss"].append(float(loss))
            if number % 2:
                self.history["penalty"].append(penalty.numpy())


def drive():
    trainer = Trainer()
    trainer.train(tf.data.Dataset.from_tensor_slices(tf.ones([8, 3])).batch(2, drop_remainder=True))
    assert len(trainer.history["loss"]) == 4 and trainer.history["penalty"][0] > 0.0
