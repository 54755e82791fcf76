"""Programs in which the graph chooses an object of a class with slots, or of a frozen dataclass."""

from __future__ import annotations

import copy
import dataclasses

import tensorflow as tf
from differential import program


class Weighted:
    __slots__ = ("__weight", "value")

    def __init__(self, value, weight):
        self.value = value
        self.__weight = weight

    @property
    def weight(self):
        return self.__weight

    @weight.setter
    def weight(self, new):
        self.__weight = new


class Counted(Weighted):
    def __init__(self, value, weight):
        super().__init__(value, weight)
        self.count = 0


class Noted(Counted):
    __slots__ = ("late", "notes")


@dataclasses.dataclass(slots=True)
class Job:
    value: float
    weight: float
    count: int = 0


@dataclasses.dataclass(frozen=True)
class Offer:
    value: float
    weight: float

    def raise_by(self, more):
        object.__setattr__(self, "value", self.value + more)


@dataclasses.dataclass(frozen=True, slots=True)
class SmallOffer(Offer):
    bids: int = 0


@program([0.5, 3.0], [4.0, 3.0])
def objects_with_slots(xs):
    made = []
    for kind in (Weighted, Counted, Noted, Job):
        first, second = kind(tf.constant(7.0), xs[0]), kind(tf.constant(8.0), xs[1])
        best = max([first, second], key=lambda one: one.weight)
        best.weight = best.weight * 2.0
        other = first if xs[0] > 1 else kind(xs[0], xs[1])
        for x in xs:
            if x > other.weight:
                other = second
            other.value = other.value + x
        made += [first.weight, second.weight, first.value, second.value, best.value]
    return made


@program([0.5, 3.0, 1.0], [4.0, 3.0, 9.0])
def frozen_dataclasses(xs):
    offers = [Offer(x, x * x) for x in tf.unstack(xs)]
    best, *rest = sorted(offers, key=lambda offer: -offer.weight)
    taken = offers[0]
    for offer in rest:
        if offer.weight > 2.0:
            taken = dataclasses.replace(offer, value=offer.value + best.value)
    return taken.value, taken.weight, best.value, len(rest)


@program(0.5, 3.0)
def frozen_but_set(x):
    made = []
    for kind in (Offer, SmallOffer):
        first, second = kind(x, 1.0), kind(2.0, x)
        chosen = first if x > 1.0 else second
        chosen.raise_by(x)
        try:
            chosen.weight = 9.0
        except dataclasses.FrozenInstanceError:
            made.append(chosen.weight)
        made += [first.value, second.value, first.weight, second.weight, chosen.value]
    return made


@program(-1, 1)
def lists_in_slots(x):
    first, second = Noted(1, 2), Noted(3, 4)
    first.notes, second.notes = [x], [x, x]
    chosen = first if x > 0 else second
    for i in tf.range(3):
        chosen.notes.append(i)
        if i > x:
            chosen = first
    chosen.notes[0] = 7
    return first.notes, second.notes


@program(-1, 1)
def slot_without_a_value(x):
    first, second = Noted(1, 2), Noted(3, 4)
    chosen = first if x > 0 else second
    chosen.late = x
    if x > 0:
        second.late = 5
    else:
        first.late = 6
    return first.late, second.late


@program(-1, 1)
def linked_by_slots(x):
    first, second = Job(1, 2), Job(3, 4)
    first.weight, second.weight = second, first
    chosen = first if x > 0 else second
    chosen.weight.value = x
    if x > 0:
        chosen.weight.count = chosen.weight.count + 2
    return first.value, second.value, first.count, second.count


@program(2, -1)
def texts_of_slots(x):
    return "{0.value} {other.weight}".format(Job(x, 1), other=Weighted(2, x))


class Sized:
    __slots__ = ("size",)

    def __init__(self, size):
        self.size = size

    def grown(self, by):
        return type(self)(self.size + by)


class Open(Sized):
    pass


@program(3, -3)
def copies_and_classes(x):
    made = []
    for kind in (Sized, Open):
        one, other = kind(1), kind(tf.constant(2))
        chosen = one if x > 0 else other
        copied, deep, grown = copy.copy(chosen), copy.deepcopy(chosen), chosen.grown(5)
        copied.size = copied.size + 10
        deep.size = deep.size + 20
        grown.size = grown.size * 2
        same = type(grown) is kind and isinstance(copied, kind)
        made += [one.size, other.size, copied.size, deep.size, grown.size, same]
    return made
