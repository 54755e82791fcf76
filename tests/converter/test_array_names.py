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


REFUSED = [filled_by_a_function, two_names, row, held, chosen, counted_in_a_list, counted_under_a_key, filled_in_a_loop]


@pytest.mark.parametrize("function", REFUSED)
def test_arrays_that_another_name_sees(function: Callable[[Any], Any]):
    with pytest.raises(TypeError, match=r"tensor changes a NumPy array in place here.*copy it before"):
        gw.function(function)(tf.constant(3))


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


@pytest.mark.parametrize("function", [given_back, renamed, copied, chosen_alone, tensor_added, returned_from_a_loop])
def test_arrays_with_one_name(function: Callable[[Any], Any]):
    for value in (1, 3):
        expected = np.asarray(function(tf.constant(value)))
        assert np.asarray(gw.function(function)(tf.constant(value))).tolist() == expected.tolist()
