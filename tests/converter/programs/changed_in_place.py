"""Programs that change what a property or an item holds in place, or set attributes past the class that has them."""

from __future__ import annotations

import operator
import weakref

import tensorflow as tf
from differential import program

IN_A_BRANCH = "TypeError: changes in a branch that the graph decides"


class Counted:
    __slots__ = ("count", "held")

    def __init__(self, held):
        self.held = held
        self.count = 0

    @property
    def n(self):
        return self.held

    @n.setter
    def n(self, value):
        self.count += 1
        self.held = value


class Kept:
    def __init__(self):
        self.values = weakref.WeakKeyDictionary()

    def __get__(self, owner, kind=None):
        return self if owner is None else self.values[owner]

    def __set__(self, owner, value):
        self.values[owner] = value


class Described:
    n = Kept()

    def __init__(self, n):
        self.n = n


class Total:
    def __init__(self, value):
        self.value = value

    def __iadd__(self, other):
        self.value = self.value + other
        return self


class Drawer:
    def __init__(self, items):
        self.items = items
        self.steps = 0

    def __getitem__(self, key):
        return self.items[key]

    def __setitem__(self, key, value):
        self.items[key] = value

    def itself(self):
        self.steps += 1
        return self

    def step(self):
        self.steps += 10
        return 1


class Cupboard:
    def __init__(self):
        self.drawer = Drawer({"k": tf.constant(1)})


class Slotted:
    __slots__ = ("n",)

    def __init__(self, n):
        self.n = n


class Plain:
    def __init__(self, n):
        self.n = n

    @property
    def half(self):
        return self.n / 2

    @half.setter
    def half(self, value):
        self.n = value * 2


class Derived(Plain):
    def store(self, n):
        super().__setattr__("n", n)


@program(1, -1, refused=IN_A_BRANCH)
def set_of_a_property(x):
    counted = Counted({1})
    if x > 0:
        counted.n |= {3}
    return counted.count, len(counted.n)


@program(1, -1, refused=IN_A_BRANCH)
def set_of_a_property_under_two_names(x):
    counted = Counted({1, 3})
    same = counted.n
    if x > 0:
        counted.n -= {3}
    return len(same)


@program(3, 0, refused="TypeError: changes in a loop that the graph runs")
def set_of_a_property_in_a_loop(n):
    counted = Counted({1, 2})
    for _ in tf.range(n):
        counted.n &= {2}
    return len(counted.n)


@program(1, -1, refused=IN_A_BRANCH)
def set_of_a_descriptor(x):
    described = Described({1})
    if x > 0:
        described.n ^= {3}
    return len(described.n)


@program(1, -1, refused=IN_A_BRANCH)
def set_in_an_own_container(x):
    drawer = Drawer({"k": {1}})
    if x > 0:
        drawer["k"] |= {3}
    return len(drawer["k"])


@program(1, -1)
def list_of_a_property(x):
    counted = Counted([x])
    same = counted.n
    if x > 0:
        counted.n += [x + 1]
    return counted.count, len(counted.n), same


@program(1, -1)
def dict_of_a_property(x):
    counted = Counted({"a": x})
    if x > 0:
        counted.n |= {"a": x + 1}
    return counted.count, counted.n["a"]


@program(1, -1)
def own_operator_of_an_item(x):
    totals = [Total(x)]
    if x > 0:
        totals[0] += 2
    return totals[0].value


@program(1, -1)
def own_operator_of_a_property(x):
    counted = Counted(Total(x))
    if x > 0:
        counted.n += 2
    return counted.count, counted.n.value


@program(1, -1)
def item_of_an_own_container(x):
    cupboard = Cupboard()
    if x > 0:
        cupboard.drawer["k"] += x
    return cupboard.drawer["k"]


@program(1, -1)
def evaluated_once_and_in_order(x):
    drawer = Drawer({})
    if x > 0:
        drawer.itself().steps += drawer.step()
    return drawer.steps


@program(1, -1)
def operators_called_as_methods(x):
    xs, numbers = [1], {"k": 1}
    if x > 0:
        xs.__iadd__([4])
        numbers.__ior__({"k": 2})
    return len(xs), numbers["k"]


@program(1, -1)
def slot_set_in_the_chosen_object(x):
    one, other = Slotted(1), Slotted(2)
    chosen = one if x > 0 else other
    Slotted.n.__set__(chosen, 5)
    return one.n, other.n, chosen.n


@program(1, -1)
def attribute_set_past_the_class_of_the_chosen_object(x):
    one, other = Derived(1), Derived(2)
    chosen = one if x > 0 else other
    store = object.__setattr__
    store(chosen, "n", 5)
    if x > -9:
        chosen.store(chosen.n + 1)
    return one.n, other.n, chosen.n


@program(1, -1)
def property_called_by_its_name(x):
    one, other = Plain(1), Plain(2)
    chosen = one if x > 0 else other
    Plain.half.fset(chosen, 5)
    if x > 0:
        Plain.half.__set__(other, 4)
    return one.n, other.n, chosen.n


@program(1, -1)
def set_by_functions_of_python(x):
    slotted, plain, other, third = Slotted(1), Plain(1), Plain(1), Plain(1)
    put, store = Slotted.n.__set__, setattr
    if x > 0:
        put(slotted, 5)
        store(plain, "n", 6)
        operator.methodcaller("__setattr__", "n", 7)(other)
        setattr(*(third, "n", 8))
    return slotted.n, plain.n, other.n, third.n


@program(1, -1, refused="TypeError: the graph chooses which Slotted it is")
def slot_read_in_the_chosen_object(x):
    one, other = Slotted(1), Slotted(2)
    chosen = one if x > 0 else other
    return Slotted.n.__get__(chosen)


@program(1, -1, refused="TypeError: its `__dict__` can't change")
def dict_of_the_chosen_object(x):
    one, other = Plain(1), Plain(2)
    chosen = one if x > 0 else other
    chosen.__dict__["n"] = 5
    return one.n, other.n


class Steps:
    def __init__(self):
        self.count = 0
        self.notes = {"count": 0}

    @property
    def step(self):
        self.count += 1
        self.notes["count"] += 1
        return 1

    def __add__(self, other):
        self.count += 1
        return other + 1

    def __getitem__(self, key):
        self.count += 1
        return key


@program(1, -1)
def properties_read_in_a_loop_that_is_left(x):
    steps = Steps()
    while True:
        x = x + steps.step
        if x > 4:
            break
    return x, steps.count, steps.notes["count"]


@program(1, -1)
def operators_used_in_a_loop_that_is_left(x):
    steps = Steps()
    while True:
        x = steps + x
        if x > 4:
            break
        x += steps[1]
    return x, steps.count


class DoubledField:
    """Holds its value under its own name in the object, as fields of ORMs do."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, owner, kind=None):
        return self if owner is None else vars(owner)[self.name]

    def __set__(self, owner, value):
        vars(owner)[self.name] = value * 2


class Tally:
    turns = 10
    size = DoubledField()

    def __init__(self, size):
        self.size = size
        self.name = "n"
        self.seen = {"turns": 0, "names": ""}


@program(3, -3)
def numbers_and_texts_in_places_of_python(x):
    tally = Tally(1)
    for turn in range(3):
        tally.turns += turn
        tally.size += turn
        tally.name += "m"
        tally.seen["turns"] += 1
        tally.seen["names"] += tally.name
    return x + tally.turns, tally.size, tally.seen["turns"], len(tally.seen["names"]), Tally.turns
