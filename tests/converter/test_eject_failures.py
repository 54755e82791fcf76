"""Exceptions that the graph decides on become assertions in ejected functions, wherever they are raised."""

# ruff: noqa: RET506
from __future__ import annotations

from typing import Any

import graphwright as gw
import pytest
import tensorflow as tf
from agreement import plain
from ejectable import c
from test_eject import made_from, text_of


def after_a_loop(x, limit):
    for step in range(limit):
        x = x / 2
        if x < 1:
            return x, step
    raise ValueError("no convergence")


def after_choices(op, x):
    if op == 1:
        return x + 1
    if op == 2:
        tf.print("two")
        return x * 2
    raise ValueError("unknown op")


def in_the_last_branch(op, x):
    if op == 1:
        y = x + 1
    elif op == 2:
        y = x * 2
    else:
        raise ValueError(f"unknown op {op}")
    return y * 2


def after_a_print(op, x):
    if op == 1:
        x = x + 1
    else:
        tf.print("failing")
        raise KeyError("unknown op")
    return x * 2


def after_a_print_in_a_loop(xs):
    total = 0.0
    for x in xs:
        if x < 0:
            tf.print("failing")
            raise ValueError("negative")
        total += x
    return total


def instead_of_a_value(op, x):
    if op > 0:
        if x > 1:
            return x
        tf.print("failing")
        raise ValueError
    return -x


def in_the_first_branch(x, op):
    if op == 1:
        raise ValueError("one")
    elif op == 2:
        return x
    else:
        x = x * 3
    return x


X = c(2.0)
CALLS: list[tuple[Any, str, list[tuple[Any, ...]], tuple[Any, ...]]] = [
    (after_a_loop, "no convergence", [(c(3.0), c(5))], (c(3.0), c(1))),
    (after_choices, "unknown op", [(c(1), X), (c(2), X)], (c(3), X)),
    (in_the_last_branch, "unknown op 3", [(c(1), X), (c(2), X)], (c(3), X)),
    (after_a_print, "unknown op", [(c(1), X)], (c(3), X)),
    (after_a_print_in_a_loop, "negative", [(c([1.0, 2.0]),)], (c([1.0, -2.0]),)),
    (instead_of_a_value, "ValueError", [(c(1), X), (c(-1), X)], (c(1), c(0.0))),
    (in_the_first_branch, "one", [(X, c(2)), (X, c(3))], (X, c(1))),
]


@pytest.mark.parametrize(("function", "message", "calls", "failing"), CALLS)
def test_an_exception_becomes_an_assertion(
    function: Any, message: str, calls: list[tuple[Any, ...]], failing: tuple[Any, ...]
) -> None:
    made = made_from(text_of(function, *calls[0]), function)
    for subject in (made, tf.function(made, autograph=False)):
        for arguments in calls:
            assert plain(subject(*arguments)) == plain(function(*arguments))
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            subject(*failing)


def test_what_follows_an_assertion_has_no_branch_of_its_own() -> None:
    assert 'tf.debugging.Assert(op != 1, ["one"])\n    return tf.cond(op == 2' in text_of(in_the_first_branch, X, c(2))
    text = text_of(after_a_loop, c(3.0), c(5))
    assert text.endswith('tf.debugging.Assert(returned, ["no convergence"])\n    return result\n')


def a_size_that_is_unknown(rows):
    count = rows.shape[0] or 3
    return tf.reduce_sum(rows) / count


def a_size_that_the_graph_gives(rows):
    count = rows.shape[0] or tf.shape(rows)[0]
    return tf.reduce_sum(rows) / tf.cast(count, tf.float32)


def none_or_a_pair(rows):
    if tf.reduce_sum(rows) < 0:
        return None
    return rows, rows


class Halving(tf.keras.layers.Layer):
    def call(self, x: Any) -> Any:
        return x / 2 if tf.reduce_sum(x) > 1 else x


HALVING = Halving()


def calls_a_layer(rows):
    return HALVING(rows)


class Watched:
    def __init__(self) -> None:
        self.sets, self._value = 0, tf.constant(0.0)

    @property
    def value(self) -> Any:
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        self.sets, self._value = self.sets + 1, value


def sets_a_property_with_others(rows):
    watched = Watched()
    total = 0.0
    for row in rows:
        watched.value, total = row, total + row
    return watched.sets, total


ROWS = tf.TensorSpec([None], tf.float32)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (a_size_that_is_unknown, r"`rows.shape\[0\]` is None while the graph is made"),
        (sets_a_property_with_others, "`value` is a property that a branch or loop of the graph sets"),
        (none_or_a_pair, "a function returns None on one path and something else on another"),
        (calls_a_layer, "Keras calls `Halving.call`, in which the graph decides something: eject the method"),
    ],
)
def test_what_is_refused_says_what_to_write(function: Any, reason: str) -> None:
    with pytest.raises(gw.ConversionError, match=reason):
        gw.to_code(function, style="tensorflow", signature=[ROWS])


def test_a_size_may_come_from_the_graph() -> None:
    made = made_from(
        gw.to_code(a_size_that_the_graph_gives, style="tensorflow", signature=[ROWS]), a_size_that_the_graph_gives
    )
    graph = tf.function(made, autograph=False, input_signature=[ROWS])
    assert plain(graph(c([1.0, 2.0, 3.0]))) == 2.0


def test_a_method_of_a_layer_is_ejected_by_itself() -> None:
    text = gw.to_code(HALVING.call, style="tensorflow", signature=[ROWS])
    assert text.rstrip().endswith("return tf.cond(tf.reduce_sum(x) > 1, lambda: x / 2, lambda: x)")
