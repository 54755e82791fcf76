"""Classes that a converted function defines: their methods are converted, whatever notes the function has."""

from __future__ import annotations

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
