"""Programs about attributes, subscripts, dicts, tuples, namedtuples, dataclasses and plain objects as state."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import NamedTuple

import tensorflow as tf
from differential import Python, built, program


class Pair(NamedTuple):
    a: tf.Tensor
    b: tf.Tensor


@dataclass
class Particle:
    position: tf.Tensor
    velocity: tf.Tensor


@dataclass(frozen=True)
class Moments:
    count: tf.Tensor
    mean: tf.Tensor


class Box:
    def __init__(self, value):
        self.value = value


class Counter:
    def __init__(self):
        self.count = tf.Variable(0)
        self.total = tf.Variable(0.0)

    def add(self, x):
        self.count.assign_add(1)
        if x > 0:
            self.total.assign_add(x)


@program(2.0, -2.0)
def attribute_in_a_branch(x):
    box = Box(x)
    if x > 0:
        box.value = x * 2.0
    return box.value


@program(2.0, -2.0)
def attribute_on_both_sides(x):
    box = Box(x)
    if x > 0:
        box.value = box.value + 1.0
    else:
        box.value = box.value - 1.0
    return box.value


@program(4, 0)
def attribute_in_a_loop(n):
    box = Box(0)
    for i in range(n):
        box.value += i
    return box.value


@program(4, 0)
def attribute_set_in_a_called_method(n):
    class Tally:
        def __init__(self):
            self.total = 0

        def add(self, x):
            self.total = self.total + x

    tally = Tally()
    for i in range(n):
        tally.add(i)
    return tally.total


@program((3, 1.0), (0, 1.0))
def dict_in_a_loop(n, x):
    state = {"x": x, "steps": 0}
    for _ in range(n):
        state["x"] = state["x"] * 2.0
        state["steps"] += 1
    return state


@program(3.0, -3.0)
def dict_key_in_a_branch(x):
    table = {"x": x, "y": x}
    if x > 0:
        table["y"] = x * 3.0
    return table["x"] + table["y"]


@program(3.0, -3.0)
def new_key_on_both_sides(x):
    table = {}
    if x > 0:
        table["sign"] = 1
    else:
        table["sign"] = -1
    return table["sign"]


@program((4, 1, 2), (0, 1, 2))
def namedtuple_state(n, a, b):
    pair = Pair(a, b)
    for _ in range(n):
        pair = Pair(pair.b, pair.a + pair.b)
    return pair


@program((1.0, 2.0), (2.0, 1.0))
def namedtuple_replace(a, b):
    pair = Pair(a, b)
    if pair.a < pair.b:
        pair = pair._replace(a=pair.b)
    return pair


@program((0.0, 1.0, 3), (0.0, 1.0, 0))
def dataclass_mutated(position, velocity, steps):
    particle = Particle(position, velocity)
    for _ in range(steps):
        particle.position = particle.position + particle.velocity
        particle.velocity = particle.velocity * 0.5
    return particle.position, particle.velocity


@program((0.0, 1.0, 3), (0.0, 1.0, 0))
def dataclass_rebuilt(position, velocity, steps):
    particle = Particle(position, velocity)
    for _ in range(steps):
        particle = Particle(particle.position + particle.velocity, particle.velocity * 0.5)
    return particle.position, particle.velocity


@program([1.0, 2.0, 6.0], [4.0], unknown=True)
def frozen_dataclass_replaced(xs):
    moments = Moments(tf.constant(0.0), tf.constant(0.0))
    for x in xs:
        count = moments.count + 1.0
        moments = dataclasses.replace(moments, count=count, mean=moments.mean + (x - moments.mean) / count)
    return moments.mean


@program((1.0, True), (1.0, False))
def dataclass_chosen(x, flag):
    if flag:
        particle = Particle(x, x * 2.0)
    else:
        particle = Particle(-x, x * 3.0)
    return particle.position * particle.velocity


@program((1.0, True), (1.0, False))
def object_rebound(x, flag):
    box = Box(x)
    if flag:
        box = Box(x + 5.0)
    return box.value


@program(3, 0)
def object_rebuilt_in_a_loop(n):
    box = Box(0)
    for i in range(n):
        box = Box(box.value + i)
    return box.value


@program((3, 1.0), (0, 1.0))
def nested_structure(n, x):
    state = {"pair": (x, x * 2.0), "count": 0}
    for _ in range(n):
        a, b = state["pair"]
        state = {"pair": (b, a + b), "count": state["count"] + 1}
    return state


@program(3, 0)
def list_in_dict(n):
    state = {"slots": [0, 0]}
    for i in range(n):
        state["slots"][0] += i
        state["slots"][1] += 1
    return state["slots"]


@program((1.0, 2.0), (2.0, 1.0))
def tuple_chosen(a, b):
    if a > b:
        pair = (a, b)
    else:
        pair = (b, a)
    return pair


@program((5.0, Python("left")), (5.0, Python("right")))
def key_held_in_a_name(x, side):
    table = {"left": x, "right": x * 2.0}
    if x > 1.0:
        table[side] = table[side] + 1.0
    return table


@program((2, Python(["a", "b"])), (0, Python(["a", "b"])))
def keys_in_python_loop(n, names):
    sums = dict.fromkeys(names, 0)
    for i in range(n):
        for name in names:
            sums[f"{name}"] += i + 1
    return sums


@program(3.0, -3.0)
def update_of_a_dict(x):
    table = {"a": x}
    if x > 0:
        table.update(b=x * 2.0)
    else:
        table.update(b=x * 3.0)
    return table["b"]


@program(2.0, -2.0)
def attribute_of_attribute(x):
    outer = Box(Box(x))
    if x > 0:
        outer.value.value = x * 7.0
    return outer.value.value


@program(2.0, -2.0)
def two_names_for_one_object(x):
    box = Box(x)
    same = box
    if x > 0:
        same.value = x + 1.0
    return box.value


@built(2.0, -2.0)
def variable_in_a_branch():
    v = tf.Variable(1.0)

    def step(x):
        if x > 0:
            v.assign_add(x)
        else:
            v.assign(0.0)
        return v.read_value()

    return step, v


@built(4, 0)
def variable_in_a_loop():
    v = tf.Variable(0)

    def count(n):
        for i in tf.range(n):
            v.assign_add(i)
        return v + 1

    return count, v


@built(())
def variables_in_order():
    a, b = tf.Variable(1.0), tf.Variable(2.0)

    def update():
        a.assign(b * 3.0)
        b.assign_add(a)
        return a + b

    return update, (a, b)


@built((), ())
def variable_parity():
    v = tf.Variable(3)

    def step():
        v.assign(v + 1)
        if v % 2 == 0:
            return v * 10
        return v * 100

    return step, v


@built([1.0, -1.0, 2.0], unknown=True)
def object_with_variables():
    counter = Counter()

    def run(xs):
        for x in xs:
            counter.add(x)
        return counter.total.read_value()

    return run, counter


@built(2.0)
def python_attribute_is_kept():
    box = Box(0)

    def call(x):
        box.value = 5
        return x * box.value

    return call, box


@built(2.0)
def python_list_outside():
    seen = []

    def call(x):
        seen.append("called")
        return x + len(seen)

    return call, seen


@built((3.0, 4), (3.0, 0))
def adam_like_state():
    weight, slot = tf.Variable(2.0), tf.Variable(0.0)

    def train(target, steps):
        for _ in tf.range(steps):
            gradient = weight - target
            slot.assign(0.9 * slot + gradient)
            if tf.abs(gradient) > 0.01:
                weight.assign_sub(0.1 * slot)
        return weight.read_value()

    return train, (weight, slot)


@program(([1.0, 2.0], [3.0, 4.0], 2), ([1.0, 2.0], [3.0, 4.0], 0))
def tuple_of_vectors(a, b, n):
    state = (a, b)
    for _ in range(n):
        state = (state[1], state[0] * 2.0)
    return state[0] + state[1]


@program(4, 1)
def setattr_and_getattr(n):
    box = Box(1)
    for i in range(n):
        setattr(box, "value", getattr(box, "value") * 2)
    return box.value


@program((3.0, 2), (3.0, 0))
def property_is_read(x, n):
    class Temperature:
        def __init__(self, celsius):
            self.celsius = celsius

        @property
        def fahrenheit(self):
            return self.celsius * 1.8 + 32.0

    t = Temperature(x)
    for _ in range(n):
        if t.fahrenheit > 30.0:
            t.celsius = t.celsius + 1.0
    return t.fahrenheit


@program(1, -1)
def shared_with_what_follows_an_early_return(x):
    known = {"t": x}

    def put(value):
        known["t"] = value
        return known["t"] + 1

    if x > 0:
        return known["t"]
    else:
        known = {"t": x - 1}
    return put(5) + known["t"]


class Size:
    def __init__(self, total, factor):
        self.total = total
        self.factor = factor


class Answering(Size):
    """An object that has its own way to answer, so that the graph merges its attributes and can't choose it."""

    def __getattr__(self, name):
        raise AttributeError(name)


def replaced_or_set(size, x):
    if x > 7:
        size = type(size)(size.total, 2.5)
        size.total += 3
    elif x < 5:
        size.total = 8
    return size.total, size.factor


@program(0, 6, 9)
def attribute_of_what_the_other_branch_replaces(x):
    return replaced_or_set(Size(x, 1.5), x)


@program(0, 6, 9)
def attribute_of_what_answers_and_is_replaced(x):
    return replaced_or_set(Answering(x, 1.5), x)


@program(0, 2, 9)
def attribute_set_in_a_loop_or_replaced(x):
    size = Size(x, 1.5)
    if x > 7:
        size = Size(x, 2.5)
    else:
        for _ in tf.range(x):
            size.total = 8
    return size.total
