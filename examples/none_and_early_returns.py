"""Values that aren't there yet when a loop begins, and a `return` in the middle of one."""

import tensorflow as tf


@tf.function
def best_score(scores):
    """None as "nothing yet": the graph has no None, so the loop begins with zeros, and negative scores lose."""
    best = None
    for score in scores:
        best = score if best is None else tf.maximum(best, score)
    return best


@tf.function
def last_loss(batches: tf.data.Dataset):
    """The loss of the last batch, which isn't there before the first."""
    for batch in batches:
        loss = tf.reduce_mean(tf.square(batch))
    return loss


@tf.function
def first_above(values, threshold):
    """Looks for the first value above a threshold, and returns as soon as it is found."""
    for value in values:
        if value > threshold:
            return value
    return threshold


if __name__ == "__main__":
    print(best_score(tf.constant([-3.0, -1.0, -2.0])))  # 0.0, and should be -1.0
    print(first_above(tf.constant([0.1, 0.7, 0.9]), tf.constant(0.5)))
    print(last_loss(tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [3.0, 4.0]])))
