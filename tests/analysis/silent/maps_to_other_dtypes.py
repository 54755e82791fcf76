"""`tf.map_fn` that says what it gives, `Dataset.reduce` and `scan` whose states keep their dtypes."""

import tensorflow as tf


@tf.function
def lengths(rows):
    counts = tf.map_fn(lambda row: tf.math.count_nonzero(row, dtype=tf.int32), rows, fn_output_signature=tf.int32)
    return tf.cast(counts, tf.float32) / tf.cast(tf.shape(rows)[1], tf.float32)


def drive():
    lengths(tf.constant([[1.0, 0.0, 2.0], [0.0, 0.0, 1.0]]))
    numbers = tf.data.Dataset.range(5)
    total = numbers.reduce(tf.constant(0, tf.int64), lambda state, value: state + value)
    assert int(total) == 10
    floats = numbers.map(lambda n: tf.cast(n, tf.float32))

    def mean(state, value):
        total, count = state[0] + value, state[1] + 1
        return (total, count), total / tf.cast(count, tf.float32)

    means = floats.scan((tf.constant(0.0), tf.constant(0)), mean)
    assert [float(m) for m in means][-1] == 2.0
