"""A training loop whose schedule, clipping and callback are optional."""

from typing import Callable, Optional

import tensorflow as tf
from tensorflow import keras


def train(
    model: keras.Model,
    data: tf.data.Dataset,
    loss_fn: Callable,
    epochs: int = 2,
    schedule: Optional[Callable[[int], float]] = None,
    grad_clip: Optional[float] = None,
    on_step: Optional[Callable] = None,
):
    optimizer = keras.optimizers.SGD(0.1)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
            if model.losses:
                loss += tf.add_n(model.losses)
        grads = tape.gradient(loss, model.trainable_variables)
        if grad_clip is not None:
            grads, _ = tf.clip_by_global_norm(grads, grad_clip)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    history = []
    for epoch in range(epochs):
        if schedule is not None:
            optimizer.learning_rate.assign(schedule(epoch))
        total = 0.0
        for i, (x, y) in enumerate(data):
            loss = step(x, y)
            total += float(loss)
            if on_step is not None:
                on_step(i, loss)
        history.append(total)
    return history


def drive():
    model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1, kernel_regularizer="l2")])
    data = tf.data.Dataset.from_tensor_slices((tf.ones([8, 2]), tf.ones([8, 1]))).batch(4)
    train(model, data, keras.losses.MeanSquaredError(), schedule=lambda e: 0.1 / (e + 1), grad_clip=1.0)
    train(model, data, keras.losses.MeanAbsoluteError())
