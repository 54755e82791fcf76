"""Training that retraces on every call: nothing fails, but everything is slow."""

import tensorflow as tf

weights = tf.Variable(tf.ones([4]))


@tf.function
def train_step(batch, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.linalg.matvec(batch, weights)))
    weights.assign_sub(rate * tape.gradient(loss, weights))
    return loss


@tf.function
def summarize(history):
    return tf.reduce_mean(history)


@tf.function
def settle(position):
    """A Python loop: the graph contains its body 500 times."""
    for _ in range(500):
        position = position - 0.01 * tf.sin(position)
    return position


if __name__ == "__main__":
    batch = tf.random.normal([8, 4])
    losses = tf.zeros([0])
    for step in range(6):
        loss = train_step(batch, 0.1 / (1 + step))  # a different Python number in each iteration
        losses = tf.concat([losses, [loss]], 0)
        print(summarize(losses))  # a different shape in each iteration
    print(settle(tf.constant(3.0)))
