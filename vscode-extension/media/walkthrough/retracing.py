"""A Python number that changes between calls: every new value adds a trace."""

import tensorflow as tf

weights = tf.Variable(tf.ones([4]))


@tf.function
def train_step(batch, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.linalg.matvec(batch, weights)))
    weights.assign_sub(rate * tape.gradient(loss, weights))
    return loss


batch = tf.ones([8, 4])
for step in range(6):
    train_step(batch, 0.1 / (1 + step))
