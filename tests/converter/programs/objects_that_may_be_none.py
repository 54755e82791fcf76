"""Programs with an object where the graph says so, and None elsewhere, whose attributes are called as they come."""

from __future__ import annotations

import tensorflow as tf
from differential import program


class Node:
    def __init__(self, value):
        self.value = value
        self.name = "node"
        self.none = value * 2
        self.defined = value + 1
        self.next = None

    @property
    def checked(self):
        return self.value + 100

    def get(self):
        return self.value * 10


@program(3, -3)
def attribute_of_what_may_be_none(x):
    node = None
    if x > 0:
        node = Node(x)
    if node is not None:
        return node.value + node.get() + node.checked + node.none + node.defined
    return -x


@program(3, -3)
def attribute_set_in_what_may_be_none(x):
    node = None
    if x > 0:
        node = Node(x)
    if node is not None:
        node.value = node.value + 5
    total = x * 2
    if node is not None:
        node.value += total
        total = node.value
    return total


@program([1, 5, 2], [-1, -2])
def best_of_a_loop(xs):
    best = None
    for x in xs:
        if best is None or x > best.value:
            best = Node(x)
    return best.value


@program(3, -3)
def name_of_what_may_be_none(x):
    node = None
    if x > 0:
        node = Node(x)
    return len(node.name) if node is not None else 0


class Tally:
    def __init__(self, total):
        self.total = total


class AnsweringTally(Tally):
    """An object that has its own way to answer, so that the graph can't choose it."""

    def __getattr__(self, name):
        raise AttributeError(name)


def found_and_counted(tally, x):
    found = None
    for i in tf.range(3):
        if x > i:
            found = tally
        tally.total += 1
    return -1 if found is None else found.total


@program(0, 1, 8)
def counted_after_it_was_found(x):
    return found_and_counted(Tally(x), x)


@program(0, 1, 8)
def counted_after_what_answers_was_found(x):
    return found_and_counted(AnsweringTally(x), x)
