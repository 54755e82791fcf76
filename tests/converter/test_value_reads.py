"""Items and comparisons of parameters, of which the text doesn't say what they are; lists that helpers change."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf


def picked(xs, i):
    return xs[i]


@pytest.mark.parametrize("held", [[1.0, 2.0, 3.0], (1.0, 2.0, 3.0), range(5), np.arange(4.0), {0: 1.0, 1: 5.0}])
def test_a_parameter_is_indexed_by_a_tensor(held: Any):
    def item(i):
        return picked(held, int(i))

    for place in (0, 1):
        assert gw.function(item)(tf.constant(place)).numpy() == held[place]


def test_the_key_that_the_graph_finds_is_looked_up():
    def largest(x):
        groups = {"a": x, "b": x * 2.0, "c": x * -1.0}
        return groups[max(groups, key=lambda name: groups[name])]

    for x in (3.0, -3.0):
        assert gw.function(largest)(tf.constant(x)).numpy() == largest(tf.constant(x)).numpy()


def is_before(left, right):
    return left < right, left == right, left != right, left >= right


def test_tuples_that_parameters_hold_are_compared():
    def compared(x, y):
        return is_before((x, 1), (y, 0))

    for x, y in ((1.0, 1.0), (0.0, 1.0), (2.0, 1.0)):
        wanted = [bool(each) for each in compared(tf.constant(x), tf.constant(y))]
        assert [bool(each) for each in gw.function(compared)(tf.constant(x), tf.constant(y))] == wanted


def put_first(xs, x):
    if x > 0:
        xs[0] = x
        return x
    return x * 2


def appended(xs, x):
    if x > 0:
        xs.append(x)
        return x
    return x * 2


def inserted(xs, x):
    if x > 0:
        xs.insert(0, x)
        return x
    return x * 2


def in_both(xs, x):
    if x > 0:
        xs[0] = x
        return x
    xs[1] += x
    return x * 2


def taken(xs, x):
    last = xs.pop()
    if xs:
        first = xs[0]
        xs[0] = last
        return first + x
    return last


def through_another(xs, x):
    if x > 5:
        return put_first(xs, x) + 1
    return appended(xs, x)


HELPERS = [put_first, appended, inserted, in_both, taken, through_another]


@pytest.mark.parametrize("helper", HELPERS)
@pytest.mark.parametrize("made", ["in the graph", "of known length", "by Python"])
def test_what_a_helper_changes_before_it_returns_is_in_the_list(helper: Callable[..., Any], made: str):
    def program(values, x):
        xs = tf.unstack(values) if made == "by Python" else []
        if made != "by Python":
            for value in values:
                if made == "of known length" or value > 1:
                    xs.append(value)
        given = helper(xs, x)
        return given, xs[0], xs[1], len(xs)

    traced = gw.function(program)
    for x in (9.0, 1.0, -9.0):
        arguments = tf.constant([5.0, 4.0, 3.0, 1.0]), tf.constant(x)
        wanted = [float(each) for each in program(*arguments)]
        assert [float(each) for each in traced(*arguments)] == wanted


def push(heap, item):
    heap.append(item)
    place = len(heap) - 1
    while place > 0:
        above = (place - 1) // 2
        if heap[above] <= item:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def test_a_heap_of_the_users_own():
    def smallest(xs):
        heap = []
        for i, x in enumerate(xs):
            push(heap, (x, i))
        return heap[0], heap[1][1], heap[2][1], heap[3][1]

    values = tf.constant([3.0, 4.0, 1.0, 2.0])
    wanted = []
    for i, x in enumerate([3.0, 4.0, 1.0, 2.0]):
        heapq.heappush(wanted, (x, i))
    (first, at), *others = gw.function(smallest)(values)
    assert (float(first), int(at)) == wanted[0]
    assert [int(each) for each in others] == [i for _, i in wanted[1:]]


def calculated(codes, values):
    stack = []
    for code, value in zip(tf.unstack(codes), tf.unstack(values), strict=True):
        if code == 0:
            stack.append(value)
        else:
            right = stack.pop()
            left = stack.pop()
            stack.append(left + right if code == 1 else left * right)
    return stack[0]


def test_a_branch_that_takes_from_an_empty_list_fails_only_if_it_runs():
    run = gw.function(calculated)
    codes, values = tf.constant([0, 0, 1, 0, 2]), tf.constant([3.0, 4.0, 0.0, 2.0, 0.0])
    assert run(codes, values).numpy() == 14.0
    with pytest.raises(IndexError, match="pop from empty list") as caught:
        run(tf.constant([0, 1, 0, 0, 0]), values)
    assert caught.traceback[-1].name == "calculated"


def test_xla_refuses_a_branch_that_takes_from_an_empty_list():
    with pytest.raises(IndexError, match="pop from empty list"):
        gw.function(calculated, jit_compile=True)(tf.constant([0, 0, 1]), tf.constant([3.0, 4.0, 0.0]))
