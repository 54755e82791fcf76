"""A subclassed classifier with its own training loop, as in TensorFlow's quick start."""

import tensorflow as tf


class Classifier(tf.keras.Model):
    def __init__(self, units, classes):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(units, activation="relu")
        self.out = tf.keras.layers.Dense(classes)

    def call(self, x):
        return self.out(self.hidden(x))


model = Classifier(8, 3)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-2)
train_loss = tf.keras.metrics.Mean(name="train_loss")


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    train_loss(loss)
    return loss


def drive():
    data = tf.data.Dataset.from_tensor_slices((tf.random.normal([12, 5]), tf.zeros([12], tf.int64))).batch(4)
    for epoch in range(2):
        for images, labels in data:
            train_step(images, labels)
        print(f"epoch {epoch}: loss {train_loss.result():.3f}")
