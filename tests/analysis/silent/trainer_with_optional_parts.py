"""An eager training loop in which most arguments may be left out, and losses are tensors or arrays."""

from functools import partial
from typing import Callable, Optional, Tuple

import numpy as np
import tensorflow as tf


def trainer(
    model,
    loss_fn,
    x_train: np.ndarray,
    y_train: Optional[np.ndarray] = None,
    optimizer=tf.keras.optimizers.Adam,
    loss_fn_kwargs: Optional[dict] = None,
    preprocess_fn: Optional[Callable] = None,
    reg_loss_fn: Callable = (lambda model: 0),
    batch_size: int = 2,
    log_metric: Optional[Tuple[str, tf.keras.metrics.Metric]] = None,
):
    optimizer = optimizer() if isinstance(optimizer, type) else optimizer
    return_xy = y_train is not None
    train_data = x_train if y_train is None else (x_train, y_train)
    dataset = tf.data.Dataset.from_tensor_slices(train_data).shuffle(8).batch(batch_size)
    if loss_fn_kwargs:
        loss_fn = partial(loss_fn, **loss_fn_kwargs)
    loss_val_ma = 0.0
    for step, data in enumerate(dataset):
        x, y = data if return_xy else (data, None)
        if isinstance(preprocess_fn, Callable):
            x = preprocess_fn(x)
        with tf.GradientTape() as tape:
            y_hat = model(x)
            y = x if y is None else y
            args = [y, y_hat] if tf.is_tensor(y_hat) else [y] + list(y_hat)
            loss = loss_fn(*args)
            if model.losses:
                loss += sum(model.losses)
            loss += reg_loss_fn(model)
        grads = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))
        loss_val = loss.numpy()
        if loss_val.shape:
            if loss_val.shape[0] != batch_size:
                loss_val = np.r_[loss_val, np.ones((batch_size - loss_val.shape[0],)) * loss_val.mean()]
        loss_val_ma = loss_val_ma + (loss_val - loss_val_ma) / (step + 1)
        if log_metric is not None:
            log_metric[1].update_state(y, y_hat)
    return loss_val_ma


def pair_loss(y, first, second, weight=1.0):
    return tf.reduce_mean((y - first) ** 2) + weight * tf.reduce_mean(second**2)


def drive():
    x = np.ones([5, 3], np.float32)
    dense = tf.keras.Sequential([tf.keras.layers.Dense(3, kernel_regularizer="l2")])
    trainer(dense, tf.keras.losses.mse, x, x, log_metric=("mse", tf.keras.metrics.MeanSquaredError()))
    inputs = tf.keras.Input([3])
    two = tf.keras.Model(inputs, [tf.keras.layers.Dense(3)(inputs), tf.keras.layers.Dense(2)(inputs)])
    trainer(two, pair_loss, x, loss_fn_kwargs={"weight": 0.1}, preprocess_fn=lambda x: x * 2.0)
    trainer(dense, tf.keras.losses.mae, x, x, tf.keras.optimizers.SGD(0.1), reg_loss_fn=lambda m: tf.norm(m.weights[0]))
