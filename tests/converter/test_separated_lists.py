"""Lists of which a branch or loop of the graph makes two, where the program has one: no change in place is lost."""

from __future__ import annotations

import graphwright as gw
import pytest
import tensorflow as tf


class Search:
    """Two lists that may be one."""

    def __init__(self):
        self.best, self.part = [0, 0], [0, 0]


def kept_and_changed(xs):
    search = Search()
    for x in xs:
        if x % 2 == 1:
            search.part = [x, 0]
        search.part[1] += x
        if x > search.best[0]:
            search.best = search.part
    return search.best, search.part


def changed_after_the_loop(xs):
    search, other = Search(), [1, 1]
    for x in xs:
        search.part = search.best = [x, x]
        if x > 2:
            search.best = other
    search.best[0] += 1
    return search.best, search.part, other


def changed_in_part(xs):
    search = Search()
    for x in xs:
        search.part[0] += x
        if x >= 2:
            search.best = search.part
            if x > 3:
                search.part = [0, 0]
    return search.best, search.part


def compared(xs):
    search, same = Search(), False
    for x in xs:
        same = search.part is search.best
        search.part = [x, x]
        if x > 2:
            search.best = search.part
    return same


def begun_again(xs):
    search = Search()
    for x in xs:
        search.part[0] += x
        if x == 3:
            search.best = search.part
            search.part = [0, 0]
    return search.best, search.part


def left_in_the_middle(xs):
    best, part = None, [0, 0]
    for x in xs:
        part[0] += x
        if x == 4:
            break
        if x == 2:
            best, part = part, [0, 0]
    return part, best


NUMBERS = ([1, 2, 3, 4], [3, 1, 2], [2, 4, 1], [5])


@pytest.mark.parametrize("function", [kept_and_changed, changed_after_the_loop, changed_in_part])
def test_a_change_that_another_name_would_miss_is_refused(function):
    with pytest.raises(TypeError, match=r"may be the same list here, which only the graph knows"):
        gw.function(function)(tf.constant(NUMBERS[0]))


def test_a_comparison_that_only_the_program_can_make_is_refused():
    with pytest.raises(TypeError, match=r"compare what is in them with `==`"):
        gw.function(compared)(tf.constant(NUMBERS[0]))


@pytest.mark.parametrize("function", [begun_again, left_in_the_middle])
def test_lists_that_are_never_the_same_are_changed(function):
    traced = gw.function(function, input_signature=[tf.TensorSpec([None], tf.int32)])
    for numbers in NUMBERS[:3]:
        expected, found = function(tf.constant(numbers)), traced(tf.constant(numbers))
        assert [list(map(int, each)) for each in found] == [list(map(int, each)) for each in expected], numbers
