"""One metric for each name, updated in a traced step and reset by the loop around it."""

import tensorflow as tf

metrics = {name: tf.keras.metrics.Mean(name=name) for name in ("loss", "norm")}


@tf.function
def step(x):
    metrics["loss"].update_state(tf.reduce_mean(x))
    metrics["norm"].update_state(tf.norm(x))


def drive():
    history = []
    for epoch in range(3):
        for metric in metrics.values():
            metric.reset_state()
        for _ in range(4):
            step(tf.ones([2, 2]) * tf.cast(epoch, tf.float32))
        history.append({name: float(metric.result()) for name, metric in metrics.items()})
    assert len(history) == 3
