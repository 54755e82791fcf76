"""Results of a size that only the run decides, returned more than once, under XLA."""

from __future__ import annotations

import graphwright as gw
import pytest
import tensorflow as tf


def grown(x):
    xs = [x]
    if x > 0:
        xs.append(x * 2)
    return xs


def returned_twice(x):
    xs = grown(x)
    return xs, xs


def returned_three_times(x):
    xs = grown(x)
    return {"first": xs, "others": (xs, xs), "sum": x}


def stacked_twice(x):
    xs = grown(x)
    return tf.stack(xs), tf.stack(xs), tf.stack(xs) * 2


def found_three_times(x):
    mask = tf.stack([x, -x, x * 2]) > 0
    return tf.where(mask), tf.where(mask), tf.where(mask)


def along_another_axis(x):
    found = tf.where(tf.stack([[x, -x, x * 2]]) > 0)
    return tf.transpose(found), tf.transpose(found)


def of_known_size(x):
    xs = [x, x * 2]
    return xs, xs


@pytest.mark.parametrize(
    "function",
    [returned_twice, returned_three_times, stacked_twice, found_three_times, along_another_axis, of_known_size],
)
def test_each_result_has_all_elements(function):
    compiled = gw.function(function, jit_compile=True)
    for value in (1.5, -0.5):
        wanted, found = [_elements(way(tf.constant(value))) for way in (function, compiled)]
        assert wanted == found


def _elements(result):
    """All elements in order: the graph returns a list as one tensor."""
    return [element for each in tf.nest.flatten(result) for element in tf.reshape(each, [-1]).numpy().tolist()]
