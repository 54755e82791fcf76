"""Random numbers of Python and NumPy: a branch or loop of the graph draws them once, and a warning says so."""

from __future__ import annotations

import random
import time
import warnings

import graphwright as gw
import numpy as np
import pytest
import tensorflow as tf

generator = np.random.default_rng(3)


def test_draws_in_branches_and_loops_of_the_graph():
    @gw.function
    def noisy(x):
        before = random.random()
        if x > 0:
            x = x + random.randint(1, 5)
        for _ in tf.range(3):
            x = x + np.random.rand()
            x = x + generator.normal()
        return x + before

    with pytest.warns(gw.FrozenRandomWarning) as caught:
        noisy(tf.constant(1.0))
    first = noisy.__wrapped__.__code__.co_firstlineno
    found = [(each.lineno - first, str(each.message).split("`")[1]) for each in caught]
    assert found == [(4, "randint"), (6, "rand"), (7, "normal")]
    assert {each.filename for each in caught} == {__file__}


def test_what_python_decides_draws_each_time_and_says_nothing():
    @gw.function
    def several(x, times):
        drawn = []
        for _ in range(times):
            if times:
                drawn.append(random.random() + generator.normal() + np.random.rand())
        random.seed(1)
        return x, drawn

    with warnings.catch_warnings():
        warnings.simplefilter("error", gw.FrozenRandomWarning)
        _, drawn = several(tf.constant(1.0), 3)
    assert len({float(each) for each in drawn}) == 3


def test_clocks_in_loops_of_the_graph():
    @gw.function
    def timed(x):
        started = time.perf_counter()
        for _ in tf.range(3):
            x = x + (time.perf_counter() - started)
        return x

    with pytest.warns(gw.FrozenTimeWarning) as caught:
        timed(tf.constant(1.0))
    assert [each.lineno - timed.__wrapped__.__code__.co_firstlineno for each in caught] == [4]
