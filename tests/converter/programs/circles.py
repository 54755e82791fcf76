"""Programs in which objects, lists and dicts refer to each other in a circle, and a graph changes them."""

from __future__ import annotations

import dataclasses

import tensorflow as tf
from differential import program


class Node:
    """A number between two others."""

    def __init__(self, v):
        self.v = v
        self.next = None
        self.prev = None


class Tree:
    """A number with numbers below it, which know what they are below."""

    def __init__(self, v):
        self.v = v
        self.kids = []
        self.parent = None

    def add(self, kid):
        kid.parent = self
        self.kids.append(kid)


def ring(x):
    a, b = Node(x), Node(x * 2)
    a.next = b
    b.next = a
    b.prev = a
    return a, b


@program(1.0, -1.0)
def ring_in_a_branch(x):
    a, b = ring(x)
    if x > 0:
        a.v = x + 1
    return a.v + b.v + b.prev.v


@program(1.0, -1.0)
def ring_in_a_loop(x):
    a, b = ring(x)
    for i in tf.range(4):
        if i % 2 == 0:
            a.next.v = a.next.v + 1.0
        else:
            b.next.v = b.next.v * 2.0
    return a.v, b.v, b.prev.v


@program(1.0, -1.0)
def one_of_a_pair_chosen(x):
    a, b = Node(x), Node(x * 2)
    a.next = b
    b.prev = a
    n = a if x > 0 else b
    return n.v


@program(1.0, -1.0)
def one_of_a_ring_chosen(x):
    a, b = ring(x)
    n = a if x > 0 else b
    return n.v


@program(1.0, -1.0)
def pointer_that_moves_around_a_ring(x):
    n, _ = ring(x)
    total = x * 0.0
    for _ in tf.range(3):
        total += n.v
        n = n.next
    return total


@program(1.0, -1.0)
def ring_followed_until_none(x):
    a, b = Node(x), Node(x * 2)
    a.next = b
    b.prev = a
    n = a
    total = x * 0.0
    while n is not None:
        if total > x:
            n.v = n.v + 1
        total = total + n.v
        n = n.next
    return total, a.v, b.v


@program(1.0, -1.0)
def ring_linked_again_in_a_branch(x):
    a, _ = ring(x)
    c = Node(x * 3)
    if x > 0:
        a.next = c
        c.next = a
    return a.next.v


@program(1.0, -1.0)
def ring_made_in_a_loop(x):
    total = x * 0.0
    for _ in tf.range(3):
        a, b = ring(x)
        if total > 1.0:
            b.prev.v = b.prev.v + 1.0
        total += a.v
    return total


@program(1.0, -1.0)
def list_in_itself(x):
    xs = [x]
    xs.append(xs)
    if x > 0:
        xs[0] = x + 1
    return xs[0], xs[1][0]


@program(1.0, -1.0)
def dict_in_itself(x):
    d = {"v": x}
    d["self"] = d
    for _ in tf.range(2):
        d["v"] = d["v"] * 2
    return d["self"]["v"]


@program(1.0, -1.0)
def lists_in_each_other(x):
    a = [x]
    b = [x * 2.0, a]
    a.append(b)
    for _ in tf.range(2):
        a[0] = a[0] + 1.0
        b[1][0] = b[1][0] * 2.0
    return a[0], b[0], a[1][1][0]


@program(1.0, -1.0)
def dicts_in_each_other(x):
    d = {"v": x, "kids": []}
    d["kids"].append({"parent": d, "v": x})
    if x > 0:
        d["v"] = x + 1.0
        d["kids"][0]["v"] = d["kids"][0]["parent"]["v"] * 2.0
    return d["v"], d["kids"][0]["v"], d["kids"][0]["parent"]["v"]


@program(1.0, -1.0)
def tree_that_knows_its_parents(x):
    root = Tree(x)
    root.add(Tree(x + 1.0))
    root.add(Tree(x + 2.0))
    total = x * 0.0
    for kid in root.kids:
        if kid.v > 2.0:
            kid.parent.v += kid.v
        total += kid.v
    for i in tf.range(2):
        for kid in root.kids:
            kid.v = kid.v + kid.parent.v
        if i > 0:
            root.kids[0].parent.v *= 2.0
    return root.v, total, root.kids[0].v, root.kids[1].v


class Counted:
    """A number and another one, with a way of its own to set them."""

    def __init__(self, v):
        self.v = v
        self.next = None

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


@program(1.0, -1.0, refused="TypeError: objects that refer to each other can't be chosen")
def one_of_a_ring_that_sets_itself(x):
    a, b = Counted(x), Counted(x * 2)
    a.next, b.next = b, a
    n = a if x > 0 else b
    return n.v


@program(1.0, -1.0)
def chosen_and_walked(x):
    a, b = ring(x)
    node = a if x > 0 else b
    for _ in tf.range(3):
        node.v += 1
        node = node.next
    return a.v, b.v, node.v


@program(1.0, -1.0)
def walked_until_a_value(x):
    a, b = ring(x)
    node, steps = a, 0
    while True:
        node = node.next
        steps += 1
        node.v += 1
        if node.v > 4:
            break
    return a.v, b.v, steps


@program(1.0, 9.0)
def walked_while_a_value_is_small(x):
    a, b = ring(x)
    node, steps = a, 0
    while True:
        if node.v > 4:
            break
        node = node.next
        steps += 1
        node.v += 1
    return a.v, b.v, steps


@program(1.0, refused="TypeError: lists and dicts that hold each other can't be chosen by the graph")
def dicts_that_are_walked(x):
    a, b = {"v": x}, {"v": x * 2}
    a["next"], b["next"] = b, a
    node = a
    for _ in tf.range(3):
        node = node["next"]
        node["v"] += 1
    return a["v"], b["v"]


@dataclasses.dataclass
class Member:
    value: object
    owner: object = None
    members: list = dataclasses.field(default_factory=list)


def owned(value):
    owner = Member(value)
    owner.members.append(Member(value, owner))
    return owner


@program(1, -1)
def data_in_circles_without_tensors_compared(x):
    same = 0
    if x > 0:
        same = 1 if owned(1) == owned(2) else 2
        same += 4 if owned(1).members[0] in owned(3).members else 8
    return same


@program(1, refused="TypeError: the graph compares all that is inside")
def data_in_circles_with_tensors_compared(x):
    return owned(x) == owned(x + 1)
