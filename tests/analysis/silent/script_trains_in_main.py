"""A long script with a `main()`: data, model, loop, metrics."""

import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self, width=8):
        super().__init__()
        self.hidden = [tf.keras.layers.Dense(width, activation="relu") for _ in range(3)]
        self.out = tf.keras.layers.Dense(1)

    def call(self, x, training=False):
        for layer in self.hidden:
            x = layer(x)
        return self.out(x)


def load(count):
    xs = tf.random.normal([count, 4])
    ys = tf.reduce_sum(xs, axis=1, keepdims=True)
    return tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(count).batch(4)


def main(epochs=2):
    train, test = load(16), load(8)
    model, loss_fn = Net(), tf.keras.losses.MeanSquaredError()
    optimizer = tf.keras.optimizers.Adam(1e-3)
    mean = tf.keras.metrics.Mean()

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, 1.0)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean.update_state(loss)

    @tf.function
    def test_step(x, y):
        return loss_fn(y, model(x, training=False))

    history = []
    for epoch in range(epochs):
        mean.reset_state()
        for x, y in train:
            train_step(x, y)
        losses = [float(test_step(x, y)) for x, y in test]
        history.append((float(mean.result()), sum(losses) / len(losses)))
        print(f"epoch {epoch}: {history[-1]}")
    return history


def drive():
    main()
