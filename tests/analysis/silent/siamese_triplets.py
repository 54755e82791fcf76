"""A Siamese network on three inputs with a distance layer and a triplet loss."""

import tensorflow as tf
from tensorflow.keras import Input, Model, layers, metrics


class DistanceLayer(layers.Layer):
    def call(self, anchor, positive, negative):
        ap = tf.reduce_sum(tf.square(anchor - positive), -1)
        an = tf.reduce_sum(tf.square(anchor - negative), -1)
        return (ap, an)


embedding = tf.keras.Sequential([layers.Dense(5, activation="relu"), layers.Dense(3)])
anchor, positive, negative = Input((4,), name="anchor"), Input((4,), name="positive"), Input((4,), name="negative")
distances = DistanceLayer()(embedding(anchor), embedding(positive), embedding(negative))
network = Model(inputs=[anchor, positive, negative], outputs=distances)


class Siamese(Model):
    def __init__(self, network, margin=0.5):
        super().__init__()
        self.network, self.margin = network, margin
        self.tracker = metrics.Mean(name="loss")

    def call(self, inputs):
        return self.network(inputs)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self._loss(data)
        grads = tape.gradient(loss, self.network.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.network.trainable_weights))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}

    def _loss(self, data):
        ap, an = self.network(data)
        return tf.maximum(ap - an + self.margin, 0.0)

    @property
    def metrics(self):
        return [self.tracker]


def drive():
    x = tf.ones([4, 4])
    model = Siamese(network)
    model.compile("sgd")
    model.fit(tf.data.Dataset.from_tensors((x, x, 2 * x)), verbose=0)
    model([x, x, x])
