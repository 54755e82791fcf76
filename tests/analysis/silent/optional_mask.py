"""An optional mask in attention."""

from typing import Optional

import tensorflow as tf


@tf.function
def attend(q, k, mask: Optional[tf.Tensor] = None):
    s = tf.matmul(q, k, transpose_b=True)
    if mask is not None:
        s += (1.0 - mask) * -1000000000.0
    return tf.nn.softmax(s)


def drive():
    q = tf.ones([2, 3, 4])
    attend(q, q)
    attend(q, q, tf.ones([2, 3, 3]))
