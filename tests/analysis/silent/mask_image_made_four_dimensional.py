"""Images of three or four dimensions, asked with `tf.rank` and `tf.cond` behind assertions."""

import tensorflow as tf


def make_nhwc(batch, c=3):
    n_dims = tf.rank(batch)
    assert_op = tf.debugging.Assert(tf.logical_or(tf.equal(n_dims, 3), tf.equal(n_dims, 4)), [n_dims])
    with tf.control_dependencies([assert_op]):
        batch = tf.cond(tf.equal(n_dims, 4), true_fn=lambda: batch, false_fn=lambda: tf.expand_dims(batch, -1))
    shape = tf.shape(batch)
    assert_op = tf.debugging.Assert(tf.equal(shape[3], 1), [shape])
    with tf.control_dependencies([assert_op]):
        return tf.tile(batch, (1, 1, 1, c))


def one_hot_img(h, w, c, i, j):
    ind = tf.convert_to_tensor([(i, j, x) for x in range(c)])
    return tf.scatter_nd(ind, tf.ones((c,), dtype=tf.float32), (h, w, c))


@tf.function
def render(alpha, light):
    rgb = make_nhwc(alpha)
    probe = one_hot_img(4, 4, 3, 1, 2)[None] * light
    return tf.concat([rgb, probe + tf.zeros_like(rgb)], axis=-1)


def drive():
    assert render(tf.ones([2, 4, 4, 1]), tf.constant(2.0)).shape[0] == 2
    assert render(tf.ones([2, 4, 4]), tf.constant(2.0)).shape[0] == 2
