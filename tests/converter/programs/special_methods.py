"""Programs with operators, items, properties, `with` and iteration of classes that branch on tensors."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import tensorflow as tf
from differential import program


class Signed:
    """A number whose methods look at its sign."""

    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        if not isinstance(other, Signed):
            return NotImplemented
        if self.x > 0:
            return Signed(self.x + other.x)
        return Signed(other.x * 2.0)

    def __radd__(self, other):
        return Signed(other - self.x if self.x > 0 else other + self.x)

    def __iadd__(self, other):
        if self.x > 0:
            self.x = self.x + other
        return self

    def __neg__(self):
        return Signed(-self.x if self.x > 1.0 else self.x)

    def __lt__(self, other):
        if self.x > 0:
            return self.x < other.x
        return other.x > 0

    def __eq__(self, other):
        if self.x > 0:
            return self.x == other.x
        return other.x > 5.0

    __hash__ = None

    def __getitem__(self, key):
        return self.x * key if self.x > 0 else self.x - key

    def __setitem__(self, key, value):
        if value > 0:
            self.x = value * key
        else:
            self.x = value

    @property
    def size(self):
        if self.x > 0:
            return self.x
        return -self.x

    @size.setter
    def size(self, value):
        self.x = value if value > 0 else -value

    @functools.cached_property
    def half(self):
        return self.x / 2.0 if self.x > 0 else self.x


class Wide(Signed):
    """A class whose reflected method comes before the left operand's."""

    def __radd__(self, other):
        return Signed(other.x - 100.0 if self.x > 0 else other.x)


class Loud:
    """A context manager that looks at a tensor."""

    def __init__(self, x):
        self.x = x

    def __enter__(self):
        if self.x > 0:
            self.x = self.x + 1.0
        return self

    def __exit__(self, *error):
        if self.x > 0:
            self.x = self.x * 10.0


class Steps:
    """An iterator that looks at a tensor."""

    def __init__(self, x, count):
        self.x, self.count = x, count

    def __iter__(self):
        return self

    def __next__(self):
        if self.count == 0:
            raise StopIteration
        self.count -= 1
        self.x = self.x * 2.0 if self.x > 0 else self.x - 1.0
        return self.x


class Several:
    """An iterable that looks at a tensor."""

    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return Steps(self.x if self.x > 0 else self.x * 3.0, 2)


@program((2.0,), (-2.0,))
def added(x):
    return (Signed(x) + Signed(x * 3.0)).x, (3.0 + Signed(x)).x, sum([Signed(x), Signed(x)], Signed(x)).x


@program((2.0,), (-2.0,))
def the_subclass_first(x):
    return (Signed(x) + Wide(x)).x, (Wide(x) + Signed(x)).x


@program((2.0,), (-2.0,))
def compared(x):
    a, b = Signed(x), Signed(x * 3.0)
    return a < b, a > b, a == b, a != b, (-a).x


@program((2.0,), (-2.0,))
def added_in_place(x):
    a = Signed(x)
    a += 3.0
    a.size += 1.5
    return a.x


@program(([1.0, -2.0, 3.0],))
def added_in_a_loop(xs):
    total = Signed(tf.constant(0.5))
    for x in xs:
        total = total + Signed(x)
    return total.x, total.size


@program((2.0,), (-2.0,))
def items(x):
    a = Signed(x)
    first = a[3.0]
    a[4.0] = x
    return first, a.x


@program((2.0,), (-2.0,))
def properties(x):
    a = Signed(x)
    before = a.size
    a.size = x * 3.0
    return before, a.x, a.half + a.half


@program((2.0,), (-2.0,))
def entered_and_left(x):
    loud = Loud(x)
    with loud as inside:
        y = inside.x * 1.0
    return y, loud.x


@program((2.0,), (-2.0,))
def iterated(x):
    total = 0.0
    for step in Steps(x, 3):
        total += step
    steps = Steps(x, 2)
    return total, next(steps), next(steps), [step for step in Several(x)]


@program((2.0,), refused="TypeError: unsupported operand type(s) for +: 'Signed' and 'Loud'")
def operands_that_do_not_fit(x):
    return Signed(x) + Loud(x)


class Gauge:
    def __init__(self, level):
        self.level = level

    @property
    def shown(self):
        if self.level > 4:
            return self.level + 100
        return self.level

    @shown.setter
    def shown(self, level):
        if level > 4:
            self.level = level * 3
        else:
            self.level = level


@program(3, 7, -3)
def property_of_what_may_be_none(x):
    gauge = None
    if x > 0:
        gauge = Gauge(x)
    if gauge is not None:
        gauge.shown = gauge.shown + 1
        return gauge.shown
    return x


@program(3, 7, -3)
def property_set_in_a_branch(x):
    gauge = Gauge(x)
    if x > 2:
        gauge.shown = gauge.shown + 1
    return gauge.shown


@program([1, 2, 3])
def property_set_in_a_loop(xs):
    gauge = Gauge(tf.constant(0))
    for x in xs:
        gauge.shown = gauge.shown + x
    return gauge.level


class Tank:
    def __init__(self, level):
        self.level = level

    @property
    def amount(self):
        if self.level > 3:
            return self.level * 2
        return self.level

    @amount.setter
    def amount(self, value):
        if value > 3:
            self.level = value + 1
        else:
            self.level = value


@program(1, -5, 3)
def properties_that_decide(x):
    one, other = Tank(x), Tank(x + 1)
    if x > 0:
        chosen = one
    else:
        chosen = other
    chosen.amount = x + 2
    chosen.amount += 1
    return chosen.amount, one.amount, other.amount


@dataclass(order=True)
class Version:
    major: object
    minor: object
    note: str = field(default="", compare=False)


@program(1, 2, 4)
def data_compared_by_its_fields(x):
    one, other = Version(x, 2, "one"), Version(2, x, "other")
    chosen = one if x > 1 else other
    count = 0
    if one == other:
        count += 1
    if one < Version(2, 3):
        count += 10
    if [one] != [Version(1, 2)]:
        count += 100
    return count, chosen == one, chosen >= other
