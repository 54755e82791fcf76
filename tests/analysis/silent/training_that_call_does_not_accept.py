"""The most common line of custom loops: `model(x, training=True)`, with and without the parameter in `call`."""

import tensorflow as tf
from tensorflow.keras import layers


class ConvBlock(layers.Layer):
    def __init__(self, filters):
        super().__init__()
        self.conv = layers.Conv2D(filters, 3, padding="same", use_bias=False)
        self.norm = layers.BatchNormalization()

    def call(self, x, training=False):
        x = self.norm(self.conv(x), training=training)
        if training:
            x = x + tf.random.normal(tf.shape(x), stddev=0.01)
        return tf.nn.relu(x)


class Net(tf.keras.Model):
    def __init__(self, classes=3):
        super().__init__()
        self.blocks = [ConvBlock(4), ConvBlock(8)]
        self.pool = layers.GlobalAveragePooling2D()
        self.head = layers.Dense(classes)

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(self.pool(x))


model = Net()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
train_loss = tf.keras.metrics.Mean()
train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
        loss += sum(model.losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)
    train_accuracy(labels, predictions)


@tf.function
def test_step(images, labels):
    predictions = model(images, training=False)
    return loss_object(labels, predictions)


def drive():
    images, labels = tf.ones([2, 8, 8, 3]), tf.constant([0, 2])
    for _ in range(2):
        train_step(images, labels)
        test_step(images, labels)
    print(f"loss {train_loss.result():.2f}, accuracy {train_accuracy.result() * 100:.1f}")
    train_loss.reset_state()
