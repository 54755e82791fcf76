"""Loops of the graph that replace lists and dicts: traced once, and right where others have those from before."""

from __future__ import annotations

import types
from unittest.mock import Mock

import graphwright as gw
import pytest
import tensorflow as tf


def dict_of_tensors(x, n):
    scores = {"a": x, "b": [x, x]}
    for _ in tf.range(n):
        scores = tf.nest.map_structure(lambda t: t + 1.0, scores)
    return scores


def list_in_a_while(x, n):
    pair, i = [x, x], 0
    while i < n:
        pair = [pair[1] + 1.0, pair[0]]
        i += 1
    return pair


def in_some_iterations(x, n):
    pair = (x, {"best": x})
    for i in tf.range(n):
        if i % 2 == 0:
            pair = (pair[0] + 1.0, {"best": pair[1]["best"] * 2.0})
    return pair


def in_loops_in_loops(x, n):
    total = {"sum": x}
    for _ in tf.range(n):
        part = {"sum": total["sum"]}
        for j in tf.range(n):
            if part["sum"] > 50.0:
                continue
            part = {"sum": part["sum"] + total["sum"]}
            if j > 3:
                break
            part["sum"] += 1.0
        total = {"sum": part["sum"] * 2.0}
    return total["sum"]


def with_another_name(x, n):
    first = now = {"k": x}
    for _ in tf.range(n):
        now = {"k": now["k"] + first["k"]}
    return now, first


def read_by_a_view(x, n):
    now = {"k": x}
    view = now.values()
    for _ in tf.range(n):
        now = {"k": now["k"] + next(iter(view))}
    return now


def read_by_a_function(x, n):
    now = {"k": x}
    read = (lambda held: lambda: held["k"])(now)
    for _ in tf.range(n):
        now = {"k": now["k"] + read()}
    return now


def read_from_a_module(x, n):
    numbers, module = [x], tf.Module()
    module.numbers = numbers
    for _ in tf.range(n):
        numbers = [numbers[0] + module.numbers[0]]
    return numbers[0], module.numbers[0]


def inside_of_another(x, n):
    row = [x]
    rows = [row, [x * 2.0]]
    for _ in tf.range(n):
        rows = [[rows[1][0] + row[0]], [rows[0][0]]]
    return rows, row


def changed_first(x, n):
    now = {"k": x}
    view = now.values()
    for _ in tf.range(n):
        now["k"] = now["k"] + 1.0
        now = {"k": now["k"] * 2.0}
    return now, list(view)


def handed_on(x, n):
    now, before = {"k": x}, {"k": -x}
    for _ in tf.range(n):
        before = now
        now = {"k": now["k"] + before["k"]}
    return now, before


def swapped(x, n):
    one, other = [x], [-x]
    for _ in tf.range(n):
        one, other = other, [one[0] + 1.0]
    return one, other


def compared(x, n):
    now = first = {"k": x}
    same = 0
    for _ in tf.range(n):
        if now is first:
            same += 1
        now = {"k": now["k"] + 1.0}
    return now, same


def of_a_namespace_or_new(x, n):
    numbers = [x, x]
    space = types.SimpleNamespace(numbers=numbers)
    if n > 1:
        numbers = [x + 1.0, x]
    numbers[0] = numbers[0] * 5.0
    return numbers, space.numbers


class Numbers:
    """An object whose attribute is called like a name."""


def of_an_attribute_or_new(x, n):
    numbers, holder = [x, x], Numbers()
    holder.numbers = numbers
    if n > 1:
        numbers = [x + 1.0, x]
    numbers[0] = numbers[0] * 5.0
    return numbers, holder.numbers


def of_a_closure_or_new(x, n):
    numbers = [x, x]

    def reader(numbers):
        return lambda: numbers

    read = reader(numbers)
    if n > 1:
        numbers = [x + 1.0, x]
    numbers[0] = numbers[0] * 5.0
    return numbers, read()


def of_the_same_variable(x, n):
    numbers = [x, x]
    readers = [lambda: numbers, lambda: numbers]
    if n > 1:
        numbers = [x + 1.0, x]
    numbers[0] = numbers[0] * 5.0
    return numbers, readers[0](), readers[1]()


class Module(tf.Module):
    """A module of the user's."""


def of_a_module_or_new(x, n):
    numbers, module = [x, x], Module()
    module.numbers = numbers
    if n > 1:
        numbers = [x + 1.0, x]
    numbers[0] = numbers[0] * 5.0
    return numbers, list(module.numbers)


def of_a_modules_dict_or_new(x, n):
    numbers, module = {"a": x}, Module()
    module.numbers = numbers
    if n > 1:
        numbers = {"a": x + 1.0}
    numbers["a"] = numbers["a"] * 5.0
    return numbers, dict(module.numbers)


def of_a_function_with_the_same_name(x, n):
    now = {"k": x}

    def grown(now):
        for _ in tf.range(n):
            now = {"k": now["k"] + 1.0}
        return now

    later = grown(now)
    later["k"] = later["k"] * 10.0
    return now, later


ONCE = [dict_of_tensors, list_in_a_while, in_some_iterations, in_loops_in_loops]
OTHERS = [
    with_another_name,
    read_by_a_view,
    read_by_a_function,
    read_from_a_module,
    inside_of_another,
    changed_first,
    handed_on,
    swapped,
    compared,
    of_an_attribute_or_new,
    of_a_closure_or_new,
    of_the_same_variable,
    of_a_namespace_or_new,
    of_a_module_or_new,
    of_a_modules_dict_or_new,
    of_a_function_with_the_same_name,
]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
@pytest.mark.parametrize("function", [*ONCE, *OTHERS])
def test_the_graph_does_what_python_does(function, count):
    x, n = tf.constant(2.0), tf.constant(count)
    expected, found = function(x, n), gw.function(function)(x, n)
    assert tf.nest.map_structure(float, found) == tf.nest.map_structure(float, expected)


@pytest.mark.parametrize("function", ONCE)
def test_each_loop_is_traced_once(function, monkeypatch):
    while_loop = Mock(wraps=tf.while_loop)
    monkeypatch.setattr(tf, "while_loop", while_loop)
    gw.function(function)(tf.constant(2.0), tf.constant(3))
    assert while_loop.call_count == (2 if function is in_loops_in_loops else 1)
