"""Lists and dicts in objects that a branch or iteration of the graph makes: whoever had them sees them change."""

from __future__ import annotations

import copy
import dataclasses

import graphwright as gw
import pytest
import tensorflow as tf


class State:
    """A total and what was seen, which the next state has as well."""

    def __init__(self, total, seen):
        self.total = total
        self.seen = seen

    def add(self, x):
        self.seen.append(x)
        return self


@dataclasses.dataclass
class Record:
    """The same as a dataclass."""

    total: tf.Tensor
    seen: list


def made_in_a_branch(xs):
    state = State(tf.constant(0), [])
    if xs[0] > 1:
        state = State(xs[0], state.seen)
        state.seen.append(xs[0])
    return state.seen


def wraps_a_list_in_a_branch(xs):
    seen = [0]
    if xs[0] > 1:
        State(xs[0], seen).add(xs[0]).add(1)
    return seen


def wraps_a_dict_in_a_loop(xs):
    counts = {"large": 0}
    for x in xs:
        if x > 1:
            state = State(x, counts)
            state.seen["large"] += x
    return counts["large"]


def changed_in_place(xs):
    state = State(tf.constant(0), [0, 0])
    for x in xs:
        step = State(x, state.seen)
        step.seen[0] = step.seen[0] + x
    return state.seen


def changed_in_a_branch_of_the_turn_that_made_it(xs):
    counts, ends = {"large": 0}, [0, 0]
    for x in xs:
        step, range_ = State(x, counts), State(x, ends)
        if x > 1:
            step.seen["large"] += x
            range_.seen[1] = x
        else:
            range_.seen[0] = range_.seen[0] - x
    return counts["large"], ends


def changed_in_a_loop_of_the_branch_that_made_it(xs):
    counts = {"sum": 0}
    if xs[0] > 0:
        state = State(xs[0], counts)
        for x in xs:
            state.seen["sum"] += x
    return counts["sum"]


def replaced_dataclass(xs):
    state = Record(tf.constant(0), [])
    for x in xs:
        state = dataclasses.replace(state, total=state.total + x)
        state.seen.append(state.total)
    return state.total, state.seen


def replaced_in_a_branch(xs):
    state = Record(tf.constant(0), [])
    if xs[0] > 1:
        other = dataclasses.replace(state, total=xs[0])
        other.seen.append(xs[0])
    return state.seen


def copied(xs):
    state = State(tf.constant(0), [])
    for x in xs:
        state = copy.copy(state)
        state.total += x
        state.seen.append(state.total)
    return state.seen


def deeply_copied(xs):
    state = State(xs[0], {"first": [xs[-1]]})
    for x in xs:
        other = copy.deepcopy(state)
        other.seen["first"][0] = other.seen["first"][0] + x
        state.total += other.seen["first"][0]
    return state.total, state.seen["first"][0]


def deep_copy_of_a_list_that_grows(xs):
    seen = []
    for x in xs:
        seen.append(x)
    other = copy.deepcopy(seen)
    third = copy.copy(seen)
    other.append(xs[0])
    third[0] = xs[0] * 0
    return seen, other, third


def held_by_the_old_and_the_new(xs):
    state = first = State(tf.constant(0), [0, 0])
    if xs[0] > 1:
        state = State(xs[0], state.seen)
    state.seen[0] = state.seen[0] + xs[0]
    state.seen.append(xs[0])
    return first.seen


def changed_where_it_is_made(xs):
    state = first = State(tf.constant(0), [])
    if xs[0] > 1:
        state = State(xs[0], state.seen)
        state.seen.append(xs[0])
    return state.total, first.seen


RIGHT = (
    made_in_a_branch,
    wraps_a_list_in_a_branch,
    wraps_a_dict_in_a_loop,
    changed_in_place,
    changed_in_a_branch_of_the_turn_that_made_it,
    changed_in_a_loop_of_the_branch_that_made_it,
    replaced_dataclass,
    replaced_in_a_branch,
    copied,
    deeply_copied,
    deep_copy_of_a_list_that_grows,
    held_by_the_old_and_the_new,
    changed_where_it_is_made,
)


@pytest.mark.parametrize("function", RIGHT)
def test_all_who_have_a_list_see_it_change(function):
    traced = gw.function(function, input_signature=[tf.TensorSpec([None], tf.int32)])
    for numbers in ([1, 2, 3], [3, 1], [2]):
        expected, found = function(tf.constant(numbers)), traced(tf.constant(numbers))
        assert _numbers(found) == _numbers(expected), numbers


def _numbers(value):
    if isinstance(value, (list, tuple)):
        return [number for each in value for number in _numbers(each)]
    return [int(each) for each in tf.reshape(value, [-1])]


def another_name_of_the_list(xs):
    seen = []
    state = State(tf.constant(0), seen)
    for x in xs:
        state = State(x, state.seen)
        state.seen.append(x)
    return len(seen)


def another_object_with_the_list(xs):
    state = first = State(tf.constant(0), [])
    for x in xs:
        state = State(x, state.seen)
        state.seen.append(x)
    return len(first.seen)


def another_object_with_the_dict(xs):
    state = first = State(tf.constant(0), {"sum": 0})
    for x in xs:
        state = State(x, state.seen)
        state.seen["sum"] += x
    return first.seen["sum"]


@pytest.mark.parametrize(
    "function", [another_name_of_the_list, another_object_with_the_list, another_object_with_the_dict]
)
def test_changes_that_another_name_would_miss_are_refused(function):
    with pytest.raises(TypeError, match=r"`state\.seen` and another name of the (list|dict) may be the same"):
        gw.function(function)(tf.constant([1, 2, 3]))
