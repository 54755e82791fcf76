"""Classes that a converted function defines: their methods are converted, whatever notes the function has."""

from __future__ import annotations

import functools

import graphwright as gw
import pytest
import tensorflow as tf


def changes_what_it_reads(xs):
    class Lowest:
        def __init__(self):
            self.best, self.waited = None, 0

        def note(self, x):
            if self.best is None or x < self.best:
                self.best = x
                self.waited = 0
            else:
                self.waited += 1
            return self.waited

    lowest = Lowest()
    waits = [lowest.note(x) for x in xs]
    return lowest.best, waits[-1]


def catches(xs):
    class Careful:
        def root(self, x):
            try:
                if x < 0:
                    x = -x
                return tf.sqrt(x)
            except ValueError:
                return x

    return sum(Careful().root(x) for x in xs)


def takes_items(xs):
    class Pairs:
        def total(self, items):
            items = iter(items)
            first = next(items)
            if first > 2:
                first = first * 2
            return first + next(items)

    return Pairs().total(tf.unstack(xs))


@pytest.mark.parametrize("function", [changes_what_it_reads, catches, takes_items])
def test_methods_are_converted(function):
    for values in ([5.0, 4.0, 3.0, 3.0], [-1.0, 2.0, 3.0, 4.0]):
        wanted, found = [tf.nest.flatten(way(tf.constant(values))) for way in (function, gw.function(function))]
        assert [float(each) for each in wanted] == [float(each) for each in found]


def has_properties(xs):
    class Signed:
        def __init__(self, x):
            self.x = x

        @property
        def size(self):
            return self.x if self.x > 0 else -self.x

        @size.setter
        def size(self, value):
            if value > 3:
                value = value * 0 + 3
            self.x = value

        @functools.cached_property
        def half(self):
            return self.size / 2 if self.x > 0 else self.size

        def __add__(self, other):
            if other.x > 2:
                return Signed(self.x + other.x)
            return self

        def twice(self):
            return self + self

    changed = Signed(xs[1])
    changed.size = xs[0] * 2
    return Signed(xs[0]).size, Signed(xs[0]).half, Signed(xs[1]).twice().size, changed.size


def has_properties_that_are_lambdas(xs):
    class Signed:
        def __init__(self, x):
            self.x = x

        size = property(lambda self: self.x if self.x > 0 else -self.x)
        half = property(lambda self: self.x / 2, lambda self, y: setattr(self, "x", 2 * y if y > 0 else y))

    signed = Signed(xs[0])
    signed.half = xs[1] - 3
    return Signed(xs[0]).size, signed.size, signed.half


@pytest.mark.parametrize("function", [has_properties, has_properties_that_are_lambdas])
@pytest.mark.parametrize("values", [[5.0, 4.0], [-1.0, 2.0]])
def test_properties_and_operators_are_converted_in_methods_as_well(function, values):
    wanted, found = function(tf.constant(values)), gw.function(function)(tf.constant(values))
    assert [float(each) for each in wanted] == [float(each) for each in found]
