"""What globals lead to is known for a whole trace, and any change in it is noticed."""

from __future__ import annotations

import collections
import functools
import types

import graphwright as gw
import pytest
import tensorflow as tf
from graphwright.runtime.state.known_globals import KnownGlobals

REGISTRY = {"numbers": [0.0], "nested": [{"deep": []}]}


class Plain:
    """An object with attributes, and a class with one."""

    shared: list = []


class Slotted:
    """An object with a slot."""

    __slots__ = ("held",)


def with_default(held=()):
    return held


def with_keyword(*, held=()):
    return held


def around(held):
    def inner():
        return held

    return inner


def namespace():
    slotted = Slotted()
    slotted.held = []
    plain = Plain()
    plain.held = {"inner": []}
    return {
        "number": 1,
        "dict": {"key": []},
        "list": [[], ({"in a tuple": []},)],
        "deque": collections.deque([[]]),
        "set": {Plain},
        "plain": plain,
        "slotted": slotted,
        "space": types.SimpleNamespace(held=[]),
        "default": types.FunctionType(with_default.__code__, {}, argdefs=([],)),
        "keyword": functools.partial(with_keyword, held=[]),
        "closure": around([]),
        "kind": type("Kind", (), {"held": []}),
    }


def replaced_dict(names, new):
    names["plain"].__dict__ = {"held": new}


def replaced_class(names, new):
    names["plain"].__class__ = type("Other", (), {"held": new})


CHANGES = {
    "a name": lambda names, new: names.update(other=new),
    "an item of a dict": lambda names, new: names["dict"].update(key=new),
    "an item of a list": lambda names, new: names["list"].append(new),
    "a dict in a tuple": lambda names, new: names["list"][1][0].update(more=new),
    "a deque": lambda names, new: names["deque"].append(new),
    "an attribute": lambda names, new: setattr(names["plain"], "other", new),
    "a dict in an attribute": lambda names, new: names["plain"].held.update(inner=new),
    "all attributes": replaced_dict,
    "the class": replaced_class,
    "an attribute of a class": lambda names, new: setattr(names["kind"], "held", new),
    "a slot": lambda names, new: setattr(names["slotted"], "held", new),
    "a namespace": lambda names, new: setattr(names["space"], "held", new),
    "a default": lambda names, new: setattr(names["default"], "__defaults__", (new,)),
    "a keyword of a partial": lambda names, new: names["keyword"].keywords.update(held=new),
    "a variable": lambda names, new: setattr(names["closure"].__closure__[0], "cell_contents", new),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_is_noticed(change):
    names, new = namespace(), ["new"]
    known = KnownGlobals()
    known.add({id(names): names})
    assert known.is_current() and id(new) not in known.ids
    change(names, new)
    assert not known.is_current()
    again = KnownGlobals()
    again.add({id(names): names})
    assert id(new) in again.ids and again.is_current()


def test_numbers_may_change():
    names = namespace()
    known = KnownGlobals()
    known.add({id(names): names})
    names["number"] = 2
    assert known.is_current()
    names["number"] = [2]
    assert not known.is_current()


def kept_in_a_global(x, n):
    first = [x]
    if n > 0:
        first = [x + 1.0]
    numbers = [x, x]
    REGISTRY["nested"][0]["deep"] = numbers
    if n > 1:
        numbers = [x + 1.0, x]
    numbers[0] = numbers[0] * 5.0
    return first, numbers, REGISTRY["nested"][0]["deep"]


@pytest.mark.parametrize("count", [0, 3])
def test_what_a_trace_has_put_into_a_global_is_found(count):
    x, n = tf.constant(2.0), tf.constant(count)
    expected, found = kept_in_a_global(x, n), gw.function(kept_in_a_global)(x, n)
    assert tf.nest.map_structure(float, found) == tf.nest.map_structure(float, expected)


class Paired(tf.Module):
    """TensorFlow puts an object that only says that it is a tuple in the place of this one."""

    def __init__(self):
        super().__init__()
        self.pair = (tf.Variable(1.0), tf.Variable(2.0))
        self.sizes = {"first": tf.Variable(3.0)}


PAIRED = Paired()


def test_a_global_module_may_hold_tuples_and_dicts_of_variables() -> None:
    @gw.function
    def sums(x):
        found = [x]
        for _ in tf.range(2):
            if x > 0:
                found = [found[0] + PAIRED.pair[0]]
        return found[0] + PAIRED.sizes["first"]

    assert float(sums(tf.constant(2.0))) == 7.0
