"""Classes with a `__setattr__` of their own: what it does happens once, for each assignment that runs."""

from __future__ import annotations

import graphwright as gw
import pytest
import tensorflow as tf


class Doubling:
    """Doubles what is assigned; `put` stores a value as it is."""

    def __init__(self, value):
        super().__setattr__("value", value)

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2)

    def put(self, x):
        if x > 0:
            super().__setattr__("value", x * 5)


class Redirecting:
    """Keeps its attributes in a dict."""

    def __init__(self):
        object.__setattr__(self, "_held", {})

    def __setattr__(self, name, value):
        self._held[name] = value

    def __getattr__(self, name):
        try:
            return self._held[name]
        except KeyError:
            raise AttributeError(name) from None


class Counting:
    """Counts assignments."""

    def __init__(self, value):
        self.value = value

    def __setattr__(self, name, value):
        object.__setattr__(self, "count", self.__dict__.get("count", 0) + 1)
        object.__setattr__(self, name, value)


class Limiting:
    """A tensor decides in `__setattr__`."""

    def __init__(self, value):
        self.value = value

    def __setattr__(self, name, value):
        if value > 2.0:
            value = tf.constant(2.0)
        super().__setattr__("_" + name, value)

    @property
    def value(self):
        return self._value


class Noting(tf.Module):
    """Notes how long the last name is."""

    def __init__(self, value):
        super().__init__()
        self.value = value

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        super().__setattr__("last", tf.constant(float(len(name))))


def assigned_in_a_branch(x):
    one = Doubling(x)
    if x > 0:
        one.value = x + 1
    return one.value


def stored_in_a_branch(x):
    one = Doubling(x)
    one.put(x)
    if x < 0:
        one.__setattr__("value", x)
    return one.value


def stored_in_a_loop(x):
    one = Doubling(x)
    for i in tf.range(3):
        if x > tf.cast(i, tf.float32):
            one.put(x + one.value)
    return one.value


def redirected(x):
    one = Redirecting()
    one.value = x
    if x > 0:
        one.value = x * 3
    for _ in tf.range(3):
        one.value += x
    return one.value


def counted(x):
    one = Counting(x)
    if x > 0:
        one.value = x * 3
    for _ in tf.range(3):
        one.value += x
    return one.value, one.count


def limited(x):
    one = Limiting(x)
    if x > 0:
        one.value = x * 3
    for _ in tf.range(3):
        one.value += x
    return one.value


def of_a_module(x):
    one = Noting(x)
    if x > 0:
        one.longer = x * 3
        one.value = one.longer
    for _ in tf.range(3):
        one.value = one.value + x
    return one.value, one.last


@pytest.mark.parametrize(
    "function",
    [
        assigned_in_a_branch,
        stored_in_a_branch,
        stored_in_a_loop,
        redirected,
        counted,
        limited,
        of_a_module,
    ],
)
@pytest.mark.parametrize("compiled", [False, True])
def test_what_it_does_happens_once(function, compiled):
    traced = gw.function(function, jit_compile=compiled)
    for value in (1.5, -0.5):
        results = [tf.nest.flatten(way(tf.constant(value))) for way in (function, traced)]
        assert [float(each) for each in results[0]] == [float(each) for each in results[1]]


class Checked:
    __slots__ = ("count", "late", "value")

    def __init__(self, value):
        object.__setattr__(self, "count", 0)
        self.value = value

    def __setattr__(self, name, value):
        object.__setattr__(self, "count", self.count + 1)
        object.__setattr__(self, name, value)


def set_in_a_chosen_one(x):
    first, second = Checked(x), Checked(2.0)
    chosen = first if x > 0 else second
    chosen.value = x * 3
    return first.value, second.value


def read_from_a_chosen_one(x):
    first, second = Checked(x), Checked(2.0)
    chosen = first if x > 0 else second
    return chosen.value, chosen.count


def set_in_a_branch_and_asked_for(x):
    one = Checked(x)
    if x > 0:
        one.late = x
    return hasattr(one, "late")


def test_the_graph_makes_a_copy_of_the_chosen_one_which_may_be_read():
    for value in (1.5, -0.5):
        results = [way(tf.constant(value)) for way in (read_from_a_chosen_one, gw.function(read_from_a_chosen_one))]
        assert [float(each) for each in results[0]] == [float(each) for each in results[1]]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (set_in_a_chosen_one, "`chosen` and another name of the `Checked` may be the same `Checked` here"),
        (set_in_a_branch_and_asked_for, "only the graph knows, when it runs, whether `one.late` is set"),
    ],
)
def test_what_would_be_lost_is_refused(function, words):
    with pytest.raises(TypeError, match=words):
        gw.function(function)(tf.constant(1.5))
