"""Python state that a trace counts up and reads: the graph keeps the value of its trace, and a warning says so."""

from __future__ import annotations

import warnings

import graphwright as gw
import pytest
import tensorflow as tf

total = 0


class Counter:
    """State of Python."""

    def __init__(self):
        self.calls, self.average, self.traces = 0, 0.0, 0
        self.kernel = None

    def counted(self, x):
        self.calls += 1
        return x * self.calls

    def averaged(self, x):
        self.average = 0.9 * self.average + 0.1 * x
        return self.average

    def traced(self, x):
        self.traces += 1
        print("trace", self.traces)
        return x

    def made_once(self, x):
        if self.kernel is None:
            self.kernel = tf.Variable(2.0)
        return x * self.kernel


def summed(x):
    global total
    total += 1
    return x + total


def test_state_that_is_counted_and_read():
    counter = Counter()
    functions = [counter.counted, counter.averaged, summed]
    for function, name in zip(functions, ("self.calls", "self.average", "total"), strict=True):
        with pytest.warns(gw.FrozenStateWarning) as caught:
            gw.function(function)(tf.constant(1.0))
        assert [str(each.message).split("`")[1] for each in caught] == [name]
        assert caught[0].filename == __file__
    with pytest.warns(gw.FrozenStateWarning) as caught:
        gw.function(Counter().counted)(tf.constant(1.0))
    assert caught[0].lineno == Counter.counted.__code__.co_firstlineno + 1


def test_state_in_loops_of_the_graph():
    counter = Counter()

    @gw.function
    def looped(xs):
        for _ in xs:
            counter.calls += 1
        return counter.calls

    with pytest.warns(gw.FrozenStateWarning) as caught:
        assert int(looped(tf.constant([1, 2, 3]))) == 3
    assert len(caught) == 1


def test_what_is_deliberate_says_nothing():
    counter, variable = Counter(), tf.Variable(0.0)
    counter.step = variable

    @gw.function
    def silent(x):
        own = Counter()
        x = own.counted(own.counted(x))
        counter.step.assign_add(1.0)
        counts = [0]
        counts[0] += 1
        return counter.made_once(counter.traced(x)) + counts[0] + own.calls + counter.step

    with warnings.catch_warnings():
        warnings.simplefilter("error", gw.FrozenStateWarning)
        assert float(silent(tf.constant(1.0))) == 8.0
