"""A tensor that counts isn't a Python number: beside another dtype it fails in the graph, as it does eagerly."""

import graphwright as gw
import pytest
import tensorflow as tf

XS = [1.0, -2.0, 3.0]


def test_a_tensor_that_counts_is_no_number() -> None:
    @gw.function
    def counted(xs):
        n = tf.constant(0)
        for _ in xs:
            n += 1
        return xs * n

    with pytest.raises(TypeError, match="Cast the other one"):
        counted(tf.constant(XS))


def test_positions_of_tf_range_are_tensors() -> None:
    @gw.function
    def summed(xs):
        total = 0.0
        for i in tf.range(3):
            total += xs[0] * i
        return total

    with pytest.raises(TypeError, match="does not match type float32"):
        summed(tf.constant(XS))


def test_what_is_no_code_of_graphwright_is_left_alone() -> None:
    @tf.function(autograph=False)
    def doubled(x):
        return x * (tf.shape(x)[0] + 1)

    with pytest.raises(TypeError, match="does not match type float32"):
        doubled(tf.constant(XS))
