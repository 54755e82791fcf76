"""Programs with an object where the graph says so, and None elsewhere, whose attributes are called as they come."""

from __future__ import annotations

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
