"""Functions that the graph can't choose, because they hold what only one branch has: they are refused."""

from __future__ import annotations

import graphwright as gw
import pytest
import tensorflow as tf


def adds_to_a_list_of_its_branch(x):
    if x > 0:
        found = [1.0]
        add = lambda value: found.append(value)  # noqa: E731
    else:
        found = [2.0, 3.0]
        add = lambda value: found.append(value * 2)  # noqa: E731
    add(x)
    return found


def is_held_by_an_object(x):
    class Holder:
        def __init__(self, call):
            self.call = call

    if x > 0:
        root = tf.sqrt(x)
        holder = Holder(lambda value: value * root)
    else:
        holder = Holder(tf.abs)
    return holder.call(x)


def holds_the_item_of_an_iteration(xs):
    function, total = tf.abs, 0.0
    for x in xs:
        total += function(x)
        function = lambda value, x=x: value * x  # noqa: E731
    return total


def holds_a_number_that_a_loop_counts(xs):
    function, n = lambda: 0, 0
    for x in xs:
        n += 1  # noqa: SIM113
        if x > 1:
            function = lambda: n  # noqa: B023, E731
    return function()


REFUSED = [
    (adds_to_a_list_of_its_branch, 2.0),
    (is_held_by_an_object, 2.0),
    (holds_the_item_of_an_iteration, [1.0, 2.0]),
    (holds_a_number_that_a_loop_counts, [1.0, 2.0]),
]


@pytest.mark.parametrize(("function", "value"), REFUSED)
def test_what_holds_something_of_its_branch_is_refused(function, value):
    with pytest.raises(TypeError, match=r"is the function .* as an argument, or call them"):
        gw.function(function)(tf.constant(value))


def test_a_class_is_refused():
    def made(x):
        kind = dict if x > 0 else list
        return kind()

    with pytest.raises(TypeError, match=r"is the type dict .* but the type list"):
        gw.function(made)(tf.constant(1))
