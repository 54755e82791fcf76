"""Variables without a value before a loop, and a `return` inside one."""

import tensorflow as tf


@tf.function
def best_score(scores):
    """A graph has no None, so the loop starts with zeros, and negative scores are never the best."""
    best = None
    for score in scores:
        best = score if best is None else tf.maximum(best, score)
    return best


@tf.function
def last_loss(batches: tf.data.Dataset):
    """The loss of the last batch is undefined before the first."""
    for batch in batches:
        loss = tf.reduce_mean(tf.square(batch))
    return loss


@tf.function
def first_above(values, threshold):
    """Returns the first value above a threshold, from inside the loop."""
    for value in values:
        if value > threshold:
            return value
    return threshold


if __name__ == "__main__":
    print(best_score(tf.constant([-3.0, -1.0, -2.0])))  # 0.0 instead of -1.0
    print(first_above(tf.constant([0.1, 0.7, 0.9]), tf.constant(0.5)))
    print(last_loss(tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [3.0, 4.0]])))
