"""Search with Python loops over steps and a graph loop over tokens."""

import tensorflow as tf


@tf.function
def beam(logits, width: int = 2, steps: int = 3, alpha: float = 0.6):
    vocab = logits.shape[-1]
    scores = tf.concat([[0.0], tf.fill([width - 1], -1000000000.0)], 0)
    ids = tf.zeros([width, 0], tf.int32)
    for t in range(steps):
        total = tf.reshape(scores[:, None] + tf.nn.log_softmax(logits[t])[None], [-1])
        scores, index = tf.math.top_k(total, width)
        parent, token = (index // vocab, index % vocab)
        ids = tf.concat([tf.gather(ids, parent), token[:, None]], 1)
        norm = ((5.0 + t + 1) / 6.0) ** alpha
        if t == steps - 1:
            scores = scores / norm
    return (ids, scores)


@tf.function
def greedy(start, table, limit=tf.constant(5)):
    out = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[])
    token, i = (start, tf.constant(0))
    while i < limit and token != 0:
        out = out.write(i, token)
        token = tf.gather(table, token)
        i += 1
    return out.stack()


def drive():
    beam(tf.random.normal([3, 7]))
    greedy(tf.constant(3), tf.constant([0, 0, 1, 2]))
