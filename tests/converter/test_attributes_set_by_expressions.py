"""Attributes and items of what an expression gives, and attributes set by a name: the graph sees them change."""

from __future__ import annotations

from typing import Any

import graphwright as gw
import pytest
import tensorflow as tf


class Box:
    """Two values, and other boxes."""

    def __init__(self, first=1, second=2):
        self.first = first
        self.second = second
        self.boxes = []


def _same(box):
    return box


def set_by_a_text(x):
    box = Box()
    for name in ("first", "second"):
        if x > 0:
            setattr(box, f"{name}", 5)
    return box.first, box.second


def set_by_a_sum(x):
    box = Box()
    if x > 0:
        setattr(box, "fir" + "st", x)
    return box.first


def set_by_object(x):
    box = Box()
    if x > 0:
        object.__setattr__(box, "first", 5)
    return box.first


def set_in_an_item(x):
    box = Box()
    box.boxes = [Box(), Box()]
    for place in range(2):
        if x > 0:
            box.boxes[place - 1].first = 5
            setattr(box.boxes[place], "second".lower(), x)
    return [each.first + each.second for each in box.boxes]


def set_in_a_result(x):
    box = Box()
    if x > 0:
        _same(box).first = 7
        _same(box).second += x
    return box.first, box.second


def set_in_a_result_in_a_loop(x):
    box = Box()
    for i in range(x + 2):
        _same(box).first += i
        setattr(_same(box), "sec" + "ond", i)
    return box.first, box.second


def deleted_by_a_name(x):
    box = Box()
    for name in ("first", "second"):
        if x > 0:
            delattr(box, name.lower())
            setattr(box, name.lower(), 9)
    return box.first, box.second


PROGRAMS = (
    set_by_a_text,
    set_by_a_sum,
    set_by_object,
    set_in_an_item,
    set_in_a_result,
    set_in_a_result_in_a_loop,
    deleted_by_a_name,
)


@pytest.mark.parametrize("function", PROGRAMS)
def test_what_a_branch_or_loop_sets_is_set_where_it_runs(function):
    traced = gw.function(function)
    for number in (3, -1):
        expected, found = function(tf.constant(number)), traced(tf.constant(number))
        assert list(map(int, tf.nest.flatten(found))) == list(map(int, tf.nest.flatten(expected))), number


class Holder:
    parts: Any


@pytest.mark.parametrize("index", [1, tf.constant(1)])
def test_items_of_a_tensor_in_an_attribute_are_refused_as_python_does(index):
    def changed(x):
        holder = Holder()
        holder.parts = tf.constant([1, 2])
        holder.parts[index] += tf.abs(x)
        return holder.parts

    with pytest.raises(TypeError, match="parts"):
        gw.function(changed)(tf.constant(3))


class Sum:
    def __init__(self, total):
        self.total = total

    def __iadd__(self, other):
        if other > 0:
            self.total += other
        else:
            self.total -= other
        return self


def test_items_that_add_in_place_may_decide_by_tensors():
    def added(x):
        sums = [Sum(1), Sum(2)]
        first = sums[0]
        for place in range(2):
            sums[place] += x
        sums[-1] += x
        return first.total, sums[1].total

    assert [value.numpy() for value in gw.function(added)(tf.constant(-3))] == [4, 8]
