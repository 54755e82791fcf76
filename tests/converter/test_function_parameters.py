"""What library functions are called with: functions are converted, and data stays itself though it can be called."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import graphwright as gw
import pytest
import tensorflow as tf


class Scaled:
    def __init__(self, factor: int) -> None:
        self.factor = factor

    def __call__(self, x: Any) -> Any:
        if x > 0:
            return x * self.factor
        return x


def of_structure(x, scaled):
    factors = tf.nest.map_structure(lambda each: each.factor, {"one": scaled[0], "other": scaled[1:]})
    kept = tf.nest.map_structure(lambda each: each, scaled)
    return x + factors["one"] + factors["other"][0], kept[0] is scaled[0]


def of_one(x, scaled):
    return x, tf.nest.map_structure(lambda each: each, scaled[0]) is scaled[0]


def of_reduce(x, scaled):
    first = functools.reduce(lambda one, other: one if one.factor > other.factor else other, scaled)
    return first(x), first is scaled[1]


def of_accumulate(x, scaled):
    *_, last = itertools.accumulate(scaled, lambda one, _: one)
    return last(x), last is scaled[0]


def of_strategy(x, scaled):
    strategy = tf.distribute.get_strategy()
    each, is_same = strategy.run(lambda each, y: (each(y), each is scaled[1]), args=(scaled[1], x))
    return each, bool(is_same)


def of_switch(x, scaled):
    return tf.switch_case(x - 1, [lambda: scaled[0](x), functools.partial(scaled[1], x)]), True


def of_case(x, scaled):
    return tf.case([(x > 5, lambda: x), (x > 0, functools.partial(scaled[0], x))], default=lambda: -x), True


def of_mapped(x, scaled):
    return tf.map_fn(scaled[0], tf.stack([x, -x]))[0] + tf.vectorized_map(fn=lambda y: y, elems=x[None])[0], True


EXAMPLES = (of_structure, of_one, of_reduce, of_accumulate, of_strategy, of_switch, of_case, of_mapped)


@pytest.mark.parametrize("example", EXAMPLES)
def test_data_stays_itself_and_functions_are_converted(example: Any):
    scaled, same = [Scaled(2), Scaled(3)], []

    @gw.function
    def traced(x):
        result, is_same = example(x, scaled)
        same.append(is_same)
        return result

    with tf.init_scope():
        wanted, _ = example(tf.constant(2), scaled)
    assert traced(tf.constant(2)).numpy() == wanted.numpy()
    assert same[0] is True


def test_nested_callbacks_are_compared_once_each():
    """What a function inside of five others counts is compared at each depth, not twice as often at each."""
    calls = []

    @gw.do_not_convert
    def note_call():
        calls.append(None)

    def counting(x):
        count = 0

        def nested(y):
            nonlocal count
            count += 1
            return y + count

        note_call()
        return nested(nested(x))

    def at_depth(depth, x):
        if depth == 0:
            return counting(x)
        return tf.cond(x > 0, lambda: at_depth(depth - 1, x), lambda: x)

    assert int(gw.function(lambda x: at_depth(5, x))(tf.constant(1))) == 4
    assert len(calls) <= 6


def lower_if_large(x):
    if x > 2.0:
        return -x
    return x


def in_order(xs):
    items, others = [xs[0], xs[1], xs[2]], [xs[0], xs[1], xs[2]]
    items.sort(key=lower_if_large)
    others.sort(key=Scaled(-1), reverse=True)
    return items, others


def test_the_key_of_a_list_sort_is_converted() -> None:
    values = tf.nest.map_structure(float, gw.function(in_order)(tf.constant([1.0, 3.0, -2.0])))
    assert values == ([3.0, -2.0, 1.0], [1.0, -2.0, 3.0]) == tf.nest.map_structure(float, in_order([1.0, 3.0, -2.0]))
