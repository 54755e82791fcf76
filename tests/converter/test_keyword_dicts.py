"""Dicts of `**kwargs` that calls in branches and loops of the graph change: new for each call, so traced once."""

from __future__ import annotations

from unittest.mock import Mock

import graphwright as gw
import pytest
import tensorflow as tf

SAVED = {}


class Holder:
    """An object that keeps the keywords."""


def scaled(**options):
    rate = options.pop("rate")
    options["decay"] = rate * 2.0
    options.update(start=rate)
    return options["decay"] + options["start"]


def doubled(options):
    options["rate"] = options["rate"] * 2.0


def passed_on(**options):
    doubled(options)
    return options


def of_another(**options):
    options = SAVED
    options["rate"] = options["rate"] + 1.0
    return options["rate"]


def kept(holder, **options):
    holder.options = options
    options["rate"] = options["rate"] * 3.0
    return options["rate"]


def in_a_branch(x):
    y = x
    if x > 1.0:
        y = scaled(rate=x)
    return y


def in_a_loop(x):
    y = x
    for _ in tf.range(3):
        y = scaled(rate=y)
    return y


def by_another_function(x):
    y = {"rate": x}
    if x > 1.0:
        y = passed_on(rate=x)
    return y["rate"]


def of_a_copy(x):
    usual, y = {"rate": x}, x
    if x > 1.0:
        options = usual.copy()
        options["rate"] = options["rate"] + 1.0
        y = options["rate"]
    return y, usual["rate"]


def not_its_own(x):
    SAVED["rate"] = x
    y = x
    if x > 1.0:
        y = of_another(rate=x)
    return y, SAVED["rate"]


def kept_by_an_object(x):
    holder = Holder()
    holder.options = {"rate": x}
    y = x
    if x > 1.0:
        y = kept(holder, rate=x)
    return y, holder.options["rate"]


@pytest.mark.parametrize("x", [0.0, 2.0])
@pytest.mark.parametrize(
    "function", [in_a_branch, in_a_loop, by_another_function, of_a_copy, not_its_own, kept_by_an_object]
)
def test_the_graph_does_what_python_does(function, x):
    expected, found = function(tf.constant(x)), gw.function(function)(tf.constant(x))
    assert tf.nest.map_structure(float, found) == tf.nest.map_structure(float, expected)


@pytest.mark.parametrize("function", [in_a_branch, in_a_loop, by_another_function, of_a_copy])
def test_nothing_is_traced_again(function, monkeypatch):
    traced = []
    for name in ("cond", "while_loop"):
        monkeypatch.setattr(tf, name, mock := Mock(wraps=getattr(tf, name)))
        traced.append(mock)
    gw.function(function)(tf.constant(2.0))
    assert sum(mock.call_count for mock in traced) == 1
