"""NumPy arrays with two names: what a tensor changes under one of them is missing in the other, so it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf


def fill(array: Any, value: Any) -> Any:
    array[0] = value
    return array


def filled_by_a_function(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    fill(array, x)
    return array


def two_names(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    other = array
    other[0] = x
    return array, other


def row(x: Any) -> Any:
    array = np.zeros((2, 2), np.int32)
    first = array[0]
    first[0] = x
    return array


def held(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    known = {"array": array}
    array[0] = x
    return known["array"]


def chosen(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    other = array
    if x > 2:
        other = np.ones(2, np.int32)
    other[0] = 5
    return array, other


def counted_in_a_list(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    held = [array]
    for _ in range(x):
        held[0] += 1
    return array, held[0]


def counted_under_a_key(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    held = {"a": array}
    for _ in range(x):
        held["a"] += 1
    return array, held["a"]


def filled_in_a_loop(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    other = array
    for i in range(x):
        array[i % 2] = i
    return other


class Thing:
    held: Any


def counted_in_an_attribute(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    thing = Thing()
    thing.held = [array]
    for _ in range(x):
        thing.held[0] += 1
    return array, thing.held[0]


def counted_at_a_position(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    held = [array]
    for _ in range(x):
        for k in range(1):
            held[k] += 1
    return array + x, held[0]


def counted_in_two_lists(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    held = [[array]]
    for i in range(x):
        if i > 0:
            held[0][0] += 1
    return array, held[0][0]


def count(held: Any) -> None:
    held[0] += 1


def counted_by_a_function(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    held = [array]
    for _ in range(x):
        count(held)
    return array, held[0]


def twice_in_a_list(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    held = [array, array]
    for _ in range(x):
        held[0] += 1
    return held


def raised(array: Any) -> Any:
    array += 1
    return array


def result_of_a_function(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    for _ in range(x):
        raised(array)
        array = array * 2
    return array


def named_in_the_loop(x: Any) -> Any:
    held = [np.zeros(2, np.int32)]
    for _ in range(x):
        first = held[0]
        first += 1
        held[0] = held[0] * 2
    return held[0]


def row_of_a_new_array(x: Any) -> Any:
    array = np.zeros((3, 2), np.int32)
    for i in range(x):
        row = array[i % 3]
        row += 1
        array = array * 2
    return array


def named_after_the_loop(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    for _ in range(x):
        array = array + 1
    other = array
    other += 1
    return array


def named_after_an_item(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    array[0] = x
    other = array
    other[1] = x
    return array


def in_a_list_of_the_graph(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    history = []
    for _ in range(x):
        array += 1
        history.append(array)
    return history


def one_in_a_later_iteration(x: Any) -> Any:
    array, best = np.zeros(2, np.int32), np.ones(2, np.int32)
    for i in range(x):
        array += 1
        if i > 0:
            best = array
    return array, best


def another_in_a_later_iteration(x: Any) -> Any:
    array, other = np.zeros(2, np.int32), np.ones(2, np.int32)
    known = other
    for _ in range(x):
        array += 1
        array = other
    return known


def beside_a_number(x: Any) -> Any:
    array, number = np.zeros(2, np.int32), 0
    other = array
    for i in range(x):
        number += i
    array += number
    return array, other


def item_beside_a_number(x: Any) -> Any:
    array, number = np.zeros(2, np.int32), 0
    held = [array]
    for i in range(x):
        number += i
    for k in range(1):
        held[k] += number
    return array, held[0]


REFUSED = [
    counted_in_an_attribute,
    counted_at_a_position,
    counted_in_two_lists,
    counted_by_a_function,
    twice_in_a_list,
    result_of_a_function,
    named_in_the_loop,
    row_of_a_new_array,
    named_after_the_loop,
    named_after_an_item,
    in_a_list_of_the_graph,
    one_in_a_later_iteration,
    another_in_a_later_iteration,
    beside_a_number,
    item_beside_a_number,
    *[filled_by_a_function, two_names, row, held, chosen, counted_in_a_list, counted_under_a_key, filled_in_a_loop],
]


@pytest.mark.parametrize("function", REFUSED)
def test_arrays_that_another_name_sees(function: Callable[[Any], Any]):
    with pytest.raises(
        TypeError, match=r"graph changes a NumPy array in place here, and .* has it as well.*copy it before"
    ):
        gw.function(function)(tf.constant(3))


@pytest.mark.parametrize("function", [counted_in_a_list, twice_in_a_list, named_after_the_loop])
def test_what_is_refused_in_a_graph_is_not_ejected(function: Callable[[Any], Any]):
    with pytest.raises(gw.ConversionError, match="the graph changes a NumPy array in place here"):
        gw.to_code(function, style="tensorflow", signature=[tf.constant(3)])


def given_back(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    array = fill(array, x)
    return fill(array, x + 1)


def renamed(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    other = array
    other[0] = x
    return other


def copied(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    other = array.copy()
    other[0] = x
    return array + other


def chosen_alone(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    if x > 2:
        array = np.ones(2, np.int32)
    array[0] = 5
    return array


def tensor_added(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    held = {"sum": array}
    for i in range(x):
        held["sum"] += tf.fill([2], i)
    return array + held["sum"]


def returned_from_a_loop(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    for i in range(x):
        array = fill(array, i)
    return array


def swapped(x: Any) -> Any:
    old, new = np.zeros(4, np.float32), np.ones(4, np.float32)
    for _ in range(x):
        new[1:-1] = (old[:-2] + old[2:]) / 2 + 1
        old, new = new, old
        new *= 2
    return old + new


def rows_that_change(x: Any) -> Any:
    array = np.zeros((3, 2), np.float32)
    other = array + 1
    for i in range(x):
        array[i % 3] += other[i % 3]
        other[i % 3] *= 2
    return array + other


def copied_each_time(x: Any) -> Any:
    array, best = np.zeros(2, np.float32), np.ones(2, np.float32)
    history = []
    for i in range(x):
        array += 1
        history.append(tf.identity(array))
        if i > 0:
            best = tf.identity(array)
    return best + history[0]


def of_an_object(x: Any) -> Any:
    thing = Thing()
    thing.held = {"place": np.zeros(2, np.float32), "speed": np.ones(2, np.float32)}
    for _ in range(x):
        thing.held["place"] += thing.held["speed"]
        for key in thing.held:
            thing.held[key] -= 1
    return thing.held["place"] + thing.held["speed"]


def of_an_object_by_place(x: Any) -> Any:
    thing = Thing()
    thing.held = [np.zeros(2, np.int32), np.ones(2, np.int32)]
    for _ in range(x):
        for place, _ in enumerate(thing.held):
            thing.held[place] += place
    return thing.held


def of_a_closure(x: Any) -> Any:
    array = np.zeros(2, np.int32)

    def add() -> None:
        nonlocal array
        array += 1

    for _ in range(x):
        add()
    return array


def new_in_each_iteration(x: Any) -> Any:
    array = np.zeros(2, np.int32)
    for _ in range(x):
        array += 1
        array = np.ones(2, np.int32) * 3
    return array


def tensor_on_the_right(x: Any) -> Any:
    array = np.zeros(2, np.float32)
    other = array
    for _ in range(x):
        array += tf.ones(2)
    return array + other


@pytest.mark.parametrize(
    "function",
    [
        swapped,
        rows_that_change,
        copied_each_time,
        of_an_object,
        of_an_object_by_place,
        of_a_closure,
        new_in_each_iteration,
        tensor_on_the_right,
        given_back,
        renamed,
        copied,
        chosen_alone,
        tensor_added,
        returned_from_a_loop,
    ],
)
def test_arrays_with_one_name(function: Callable[[Any], Any]):
    for value in (1, 3):
        expected = np.asarray(function(tf.constant(value)))
        assert np.asarray(gw.function(function)(tf.constant(value))).tolist() == expected.tolist()
