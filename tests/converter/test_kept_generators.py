"""Generator expressions that have a name before anything goes over them: one element at a time, and only once."""

import graphwright as gw
import pytest
import tensorflow as tf


def looped(xs, flag):
    doubled = (2 * abs(x) for x in xs if x < 3)
    total = 0
    for each in doubled:
        total += each
    return total


def read_late(xs, flag):
    factor = 1
    scaled = (x * factor for x in xs)
    factor = 10
    return max(scaled), sum(scaled)


def in_stages(xs, flag):
    first = (x + 1 for x in xs)
    second = (x * x for x in first)
    return next(second) + sum(second)


def in_branch(xs, flag):
    positive = (x for x in xs if x > 0)
    if flag > 0:
        return sum(positive)
    return 0


def made_in_iterations(xs, flag):
    total = 0
    for n in range(flag + 2):
        scaled = (x * n for x in xs)
        total += next(scaled)
        for each in scaled:
            total += 2 * each
    return total


def from_function(xs, flag):
    def shifted():
        return (x + flag for x in xs)

    return sum(shifted())


@pytest.mark.parametrize("function", [looped, read_late, in_stages, in_branch, made_in_iterations, from_function])
@pytest.mark.parametrize("flag", [0, 1])
def test_a_generator_expression_waits_for_who_goes_over_it(function, flag: int) -> None:
    arguments = tf.constant([1, -2, 3]), tf.constant(flag)
    wanted, found = function(*arguments), gw.function(function)(*arguments)
    assert [int(each) for each in tf.nest.flatten(wanted)] == [int(each) for each in tf.nest.flatten(found)]


def left_halfway(xs, flag):
    doubled = (2 * x for x in xs)
    total = 0
    if flag > 0:
        for each in doubled:
            total += each
    for each in doubled:
        total += 100 * each
    return total


def taken_in_loop(xs, flag):
    doubled = (2 * x for x in xs)
    total = 0
    for _ in range(flag):
        total += next(doubled)
    return total


def of_unknown_length(xs, flag):
    squares = (n * n for n in range(flag))
    return sum(squares)


def generator_inside(xs, flag):
    def positive():
        for x in xs:
            if x > 0:
                yield x

    return sum(positive())


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (left_halfway, "only the graph knows which one is next"),
        (taken_in_loop, "`next` moves an iterator of Python's once"),
        (of_unknown_length, "The graph can't keep a generator expression for later"),
        (
            generator_inside,
            "a generator .* that is defined in a function, so it runs as plain Python. Define it at the",
        ),
    ],
)
def test_what_only_the_graph_knows_of_a_generator_is_refused(function, message: str) -> None:
    with pytest.raises((TypeError, tf.errors.OperatorNotAllowedInGraphError), match=message):
        gw.function(function)(tf.constant([1, -2, 3]), tf.constant(1))
