"""Subclassed models that take several inputs, called eagerly, in a functional model, and in a training step."""

import tensorflow as tf


class TwoTower(tf.keras.Model):
    def __init__(self, dim=4):
        super().__init__()
        self.query = tf.keras.Sequential([tf.keras.layers.Dense(dim, activation="relu"), tf.keras.layers.Dense(dim)])
        self.candidate = tf.keras.layers.Dense(dim)

    def call(self, inputs, training=None):
        q, c = inputs
        q = self.query(q, training=training)
        c = self.candidate(c)
        q = tf.math.l2_normalize(q, axis=-1)
        c = tf.math.l2_normalize(c, axis=-1)
        return tf.matmul(q, c, transpose_b=True)


class Ranking(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.towers = {"user": tf.keras.layers.Dense(4), "movie": tf.keras.layers.Dense(4)}
        self.head = tf.keras.layers.Dense(1)

    def call(self, features):
        parts = []
        for key, tower in self.towers.items():
            parts.append(tower(features[key]))
        return self.head(tf.concat(parts, axis=1))


retrieval = TwoTower()
ranking = Ranking()
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(queries, candidates):
    with tf.GradientTape() as tape:
        scores = retrieval([queries, candidates], training=True)
        labels = tf.eye(tf.shape(scores)[0])
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=scores))
    variables = retrieval.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


@tf.function
def rank(user, movie):
    return ranking({"user": user, "movie": movie}, training=False)


def drive():
    for _ in range(2):
        train_step(tf.ones([3, 5]), tf.ones([3, 6]))
    rank(tf.ones([2, 3]), tf.ones([2, 7]))
    a, b = tf.keras.Input((5,)), tf.keras.Input((6,))
    scores = TwoTower()([a, b])
    model = tf.keras.Model([a, b], tf.keras.layers.Activation("sigmoid")(scores))
    model([tf.ones([2, 5]), tf.ones([2, 6])])
