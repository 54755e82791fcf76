"""Programs that change state where a branch or loop doesn't show it: in called functions, by other names."""

from __future__ import annotations

import contextlib
import dataclasses
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import tensorflow as tf
from differential import Python, built, program


class Tally:
    def __init__(self):
        self.total = 0.0
        self.count = 0
        self.items = []
        self.table = {"a": 0.0, "b": 1.0}
        self.best = None

    def add(self, x):
        self.total = self.total + x
        self.count += 1

    def add_twice(self, x):
        self.add(x)
        self.add(x)

    def add_positive(self, x):
        if x > 0:
            self.add(x)

    def keep(self, x):
        self.items.append(x)

    def book(self, key, x):
        self.table[key] += x

    def note_best(self, x):
        if self.best is None or x > self.best:
            self.best = x

    def next(self):
        self.count += 1
        return self.count


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def swap(self):
        self.a, self.b = self.b, self.a + self.b


@dataclass
class Particle:
    position: Any
    velocity: Any = 1.0

    def move(self):
        self.position = self.position + self.velocity

    def brake(self, factor):
        self.velocity = self.velocity * factor


@dataclass
class System:
    first: Particle
    second: Particle
    log: list = field(default_factory=list)

    def step(self):
        self.first.move()
        self.second.move()


@dataclass(frozen=True)
class Frozen:
    a: Any
    b: Any

    def moved(self):
        return Frozen(self.b, self.a + self.b)

    def force(self, a):
        object.__setattr__(self, "a", a)


class Pair(NamedTuple):
    a: Any
    b: Any


class Holder:
    def __init__(self, tally):
        self.tally = tally

    def forward(self, x):
        self.tally.add(x)


class Property:
    def __init__(self):
        self._value = 0.0

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value * 2.0

    def bump(self, x):
        self.value = self._value + x


class Shared:
    total = 0.0

    def add(self, x):
        self.total = self.total + x


class Block(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(2.0)
        self.steps = 0
        self.last = tf.constant(0.0)

    def __call__(self, x):
        self.steps = self.steps + 1
        self.last = x * self.weight
        return self.last


def bump(state, x):
    state.total = state.total + x


def bump_dict(table, x):
    table["x"] = table["x"] + x


def bump_key(table, key, x):
    table[key] += x


def bump_list(xs, x):
    xs[0] += x


def push(xs, x):
    xs.append(x)


def assign(target, name, value):
    setattr(target, name, value)


COUNTS = {"calls": 0}
TOTAL = 0.0


def count_call(x):
    COUNTS["calls"] += 1
    return x


def add_to_total(x):
    global TOTAL
    TOTAL = TOTAL + x


@program([1.0, 2.0, 3.0], [5.0], unknown=True)
def method_in_a_loop(xs):
    tally = Tally()
    for x in xs:
        tally.add(x)
    return tally.total, tally.count


@program(([1.0, 2.0, 3.0], True), ([1.0], False))
def method_in_a_branch(xs, flag):
    tally = Tally()
    if flag:
        tally.add(xs[0])
    return tally.total, tally.count


@program(2.0, -2.0)
def method_in_both_branches(x):
    tally = Tally()
    if x > 0:
        tally.add(x)
    else:
        tally.add_twice(-x)
    return tally.total, tally.count


@program([1.0, -2.0, 3.0], [-5.0], unknown=True)
def method_with_a_branch_in_a_loop(xs):
    tally = Tally()
    for x in xs:
        tally.add_positive(x)
    return tally.total, tally.count


@program([[1.0, -2.0], [3.0, 4.0]], unknown=True)
def method_in_nested_loops(rows):
    tally = Tally()
    for row in rows:
        for x in row:
            if x > 0:
                tally.add_twice(x)
        tally.add(100.0)
    return tally.total, tally.count


@program((5, 1.0), (0, 1.0))
def method_in_while(n, x):
    tally = Tally()
    while tally.count < n:
        tally.add(x)
    return tally.total, tally.count


@program(5)
def method_in_the_test(n):
    tally = Tally()
    while tally.next() < n:
        pass
    return tally.count


@program([1.0, 2.0, 3.0], [5.0], unknown=True)
def helper_function_sets_an_attribute(xs):
    tally = Tally()
    for x in xs:
        bump(tally, x)
    return tally.total


@program([1.0, 2.0, 3.0], [5.0], unknown=True)
def attribute_that_is_a_tensor_before(xs):
    tally = Tally()
    tally.total = tf.constant(10.0)
    for x in xs:
        tally.add(x)
    return tally.total, tally.count


@program([1.0, 2.0, 3.0], [5.0], unknown=True)
def two_names_for_the_object(xs):
    tally = Tally()
    tally.total = tf.constant(10.0)
    same = tally
    for x in xs:
        tally.add(x)
    same.add(1.0)
    return tally.total, same.total


@program([1.0, 2.0, 3.0], unknown=True)
def object_inside_an_object(xs):
    tally = Tally()
    tally.total = tf.constant(10.0)
    holder = Holder(tally)
    for x in xs:
        holder.forward(x)
    return tally.total, holder.tally.total


@program((2.0, True), (2.0, False))
def object_inside_an_object_in_a_branch(x, flag):
    tally = Tally()
    holder = Holder(tally)
    if flag:
        holder.forward(x)
    return tally.total, holder.tally.total


@program([1.0, 2.0, 3.0], unknown=True)
def object_in_a_list(xs):
    tallies = [Tally(), Tally()]
    for x in xs:
        tallies[0].add(x)
        tallies[1].add(x * 2.0)
    return tallies[0].total, tallies[1].total


@program([1.0, 2.0, 3.0], unknown=True)
def objects_in_a_python_loop(xs):
    tallies = [Tally(), Tally()]
    for x in xs:
        for tally in tallies:
            tally.add(x)
    return tallies[0].total, tallies[1].total


@program((2.0, True), (2.0, False))
def attribute_of_an_element(x, flag):
    boxes = {"a": Tally()}
    if flag:
        boxes["a"].total = x
    return boxes["a"].total


@program((2.0, True), (2.0, False))
def attribute_of_a_local_alias(x, flag):
    tallies = [Tally()]
    if flag:
        tally = tallies[0]
        tally.total = x
    return tallies[0].total


@program([1.0, 2.0, 3.0], unknown=True)
def list_held_by_an_attribute(xs):
    tally = Tally()
    for x in xs:
        tally.keep(x)
    return tf.stack(tally.items)


@program((2.0, True), (2.0, False))
def dict_held_by_an_attribute(x, flag):
    tally = Tally()
    if flag:
        tally.book("a", x)
    tally.book("b", x)
    return tally.table


@program(([1.0, 2.0], Python(["a", "b"])), unknown=False)
def dict_under_keys_that_are_not_constant(xs, names):
    tally = Tally()
    for x in xs:
        for name in names:
            tally.book(name, x)
    return tally.table


@program([3.0, 7.0, 5.0], [1.0], unknown=True)
def best_in_an_attribute(xs):
    tally = Tally()
    for x in xs:
        tally.note_best(x)
    return tally.best


@program(4, 0)
def slots(n):
    pair = Slotted(0, 1)
    for _ in range(n):
        pair.swap()
    return pair.a, pair.b


@program((4, 1.0), (0, 1.0))
def dataclass_method(n, x):
    particle = Particle(x)
    for _ in range(n):
        particle.move()
        particle.brake(0.5)
    return particle.position, particle.velocity


@program((4, 1.0), (0, 1.0))
def nested_dataclasses(n, x):
    system = System(Particle(x), Particle(x * 2.0, 3.0))
    for _ in range(n):
        system.step()
    return system.first.position, system.second.position


@program((4, 1.0), (0, 1.0))
def part_of_a_dataclass_by_another_name(n, x):
    particle = Particle(x)
    system = System(particle, Particle(x * 2.0, 3.0))
    for _ in range(n):
        system.step()
    return particle.position


@program((4, 1, 1), (0, 1, 1))
def frozen_dataclass_rebuilt_by_a_method(n, a, b):
    state = Frozen(a, b)
    for _ in range(n):
        state = state.moved()
    return state.a, state.b


@program((4, 1.0), (0, 1.0))
def dataclass_rebuilt_and_moved(n, x):
    particle = Particle(x)
    for _ in range(n):
        particle = Particle(particle.position * 2.0, particle.velocity + 1.0)
        particle.move()
    return particle.position, particle.velocity


@program((4, 1.0), (0, 1.0))
def dataclass_moved_and_rebuilt(n, x):
    particle = Particle(x)
    for _ in range(n):
        particle.move()
        particle = dataclasses.replace(particle, velocity=particle.velocity + 1.0)
    return particle.position, particle.velocity


@program((1.0, True), (1.0, False))
def dataclass_made_in_a_branch_and_moved(x, flag):
    particle = Particle(x)
    if flag:
        particle = Particle(x * 5.0)
        particle.move()
    return particle.position


@program((4, 1), (0, 1))
def plain_object_rebuilt(n, x):
    class Point:
        def __init__(self, a, b):
            self.a = a
            self.b = b

    point = Point(x, 0)
    for _ in range(n):
        point = Point(point.b + 1, point.a)
    return point.a, point.b


@program((4, 1), (0, 1))
def namedtuple_in_a_dict(n, x):
    state = {"pair": Pair(x, x + 1), "steps": 0}
    for _ in range(n):
        state["pair"] = Pair(state["pair"].b, state["pair"].a + state["pair"].b)
        state["steps"] += 1
    return state["pair"], state["steps"]


@program((4, 1.0), (0, 1.0))
def dict_inside_a_tuple(n, x):
    state = ({"a": x, "b": x * 2.0}, x)
    for _ in range(n):
        table, y = state
        state = ({"a": table["b"], "b": table["a"] + y}, y + 1.0)
    return state


@program((4, 1.0), (0, 1.0))
def dict_inside_a_tuple_changed_in_place(n, x):
    state = ({"a": x}, x)
    for _ in range(n):
        state[0]["a"] = state[0]["a"] + 1.0
    return state


@program((2.0, True), (2.0, False))
def setattr_by_a_helper(x, flag):
    tally = Tally()
    for name in ("total", "total"):
        if flag:
            assign(tally, name, x)
    return tally.total


@program([1.0, 2.0], unknown=True)
def setter_of_a_property(xs):
    thing = Property()
    for x in xs:
        thing.bump(x)
    return thing.value


@program([1.0, 2.0], unknown=True)
def attribute_of_the_class_before(xs):
    shared = Shared()
    for x in xs:
        shared.add(x)
    return shared.total, Shared.total


@program((2.0, True), (2.0, False))
def new_attribute_in_a_called_function(x, flag):
    tally = Tally()
    if flag:
        assign(tally, "extra", x)
    else:
        assign(tally, "extra", x * 2.0)
    return tally.extra


@built((2.0, 3), (2.0, 0))
def module_called_in_a_loop():
    block = Block()

    def run(x, n):
        block.steps, block.last = 0, tf.constant(0.0)
        y = x
        for _ in range(n):
            y = block(y) - 1.0
        return y, block.steps, block.last

    return run, None


@program([1.0, 2.0, 3.0], unknown=True)
def dict_changed_by_a_helper(xs):
    table = {"x": 0.0, "y": 1.0}
    for x in xs:
        bump_dict(table, x)
    return table


@program((2.0, True), (2.0, False))
def dict_changed_by_a_helper_in_a_branch(x, flag):
    table = {"x": 0.0, "y": 1.0}
    if flag:
        bump_dict(table, x)
    else:
        bump_key(table, "y", x)
    return table


@program([1.0, 2.0, 3.0], unknown=True)
def list_element_changed_by_a_helper(xs):
    sums = [0.0, 1.0]
    for x in xs:
        bump_list(sums, x)
    return sums


@program([1.0, 2.0, 3.0], unknown=True)
def list_that_a_helper_makes_longer(xs):
    found = []
    for x in xs:
        push(found, x)
    return tf.stack(found)


@program([1.0, 2.0, 3.0], unknown=True)
def list_made_and_filled_by_helpers_in_a_loop(xs):
    total = 0.0
    for x in xs:
        found = []
        push(found, x)
        push(found, x * 2.0)
        total += tf.add_n(found)
    return total


@program([1.0, 2.0, 3.0], unknown=True)
def nonlocal_counter(xs):
    count = 0
    total = 0.0

    def add(x):
        nonlocal count, total
        count += 1
        total += x

    for x in xs:
        add(x)
    return count, total


@program([1.0, -2.0, 3.0], unknown=True)
def nonlocal_at_two_levels(xs):
    total = 0.0

    def outer(x):
        def inner(y):
            nonlocal total
            total += y

        if x > 0:
            inner(x)

    for x in xs:
        outer(x)
    return total


@program([1.0, 2.0, 3.0], unknown=True)
def list_in_a_closure(xs):
    found = []

    def keep(x):
        found.append(x * 2.0)

    for x in xs:
        keep(x)
    return tf.stack(found)


@program([1.0, 2.0, 3.0], unknown=True)
def list_in_a_closure_through_a_lambda(xs):
    found = []
    keep = lambda x: found.append(x)  # noqa: E731
    for x in xs:
        keep(x)
    return tf.stack(found)


@program([1.0, 2.0, 3.0], unknown=True)
def dict_in_a_closure(xs):
    table = {"sum": 0.0}

    def add(x):
        table["sum"] = table["sum"] + x

    for x in xs:
        add(x)
    return table["sum"]


@program([1.0, 2.0, 3.0], unknown=True)
def dict_as_a_default(xs):
    def add(x, table={"sum": 0.0}):  # noqa: B006
        table["sum"] = table["sum"] + x
        return table["sum"]

    last = 0.0
    for x in xs:
        last = add(x)
    return last


def make_counter():
    count = 0

    def step(by):
        nonlocal count
        count = count + by
        return count

    return step


@program(4, 0)
def closure_that_another_function_made(n):
    step = make_counter()
    last = 0
    for i in range(n):
        last = step(i)
    return last, step(0)


@program((2.0, True), (2.0, False))
def closure_that_another_function_made_in_a_branch(x, flag):
    step = make_counter()
    y = tf.cast(x, tf.int32)
    if flag:
        y = step(3) + y
    return step(1) + y


@program([1.0, 2.0, 3.0], unknown=True)
def method_as_a_value(xs):
    tally = Tally()
    add = tally.add
    for x in xs:
        add(x)
    return tally.total


@program([1.0, 2.0, 3.0], unknown=True)
def method_handed_to_a_function(xs):
    def each(function, items):
        for item in items:
            function(item)

    tally = Tally()
    each(tally.add, xs)
    return tally.total


@program([1.0, 2.0, 3.0], unknown=True)
def method_in_a_lambda(xs):
    tally = Tally()
    go = lambda x: tally.add(x)  # noqa: E731
    for x in xs:
        go(x)
    return tally.total


@built([1.0, 2.0, 3.0])
def global_set_by_a_called_function():
    def run(xs):
        global TOTAL
        TOTAL = 0.0
        for x in xs:
            add_to_total(x)
        result = TOTAL
        TOTAL = 0.0
        return result

    return run, None


@built(3)
def dict_of_the_module():
    def run(n):
        COUNTS["calls"] = 0
        total = 0
        for i in range(n):
            total += count_call(i)
        result = COUNTS["calls"]
        COUNTS["calls"] = 0
        return total, result

    return run, None


@program((2.0, True), (2.0, False))
def list_by_two_names_in_a_branch(x, flag):
    xs = [x, x]
    ys = xs
    if flag:
        xs[0] = x * 2.0
    return ys[0] + xs[0]


@program((2.0, True), (2.0, False))
def dict_by_two_names_in_a_branch(x, flag):
    table = {"a": x}
    same = table
    if flag:
        table["a"] = x * 2.0
    return same["a"]


@program((2.0, 3), (2.0, 0))
def list_by_two_names_in_a_loop(x, n):
    xs = [x, x]
    ys = xs
    for _ in range(n):
        xs[0] = xs[0] * 2.0
    return ys[0] + xs[0]


def change_argument(table, x, flag):
    if flag:
        table["a"] = x


def change_argument_and_return(table, x, flag):
    if flag:
        table["a"] = x
        return x * 2.0
    return x


@program((2.0, True), (2.0, False))
def argument_changed_for_the_caller(x, flag):
    table = {"a": x * 10.0}
    change_argument(table, x, flag)
    return table


@program((2.0, True), (2.0, False))
def argument_changed_in_a_branch_that_returns(x, flag):
    table = {"a": x * 10.0}
    y = change_argument_and_return(table, x, flag)
    return table, y


@program(([1.0, 2.0], True), ([1.0, 2.0], False))
def argument_changed_inside_a_loop(xs, flag):
    table = {"a": 0.0}
    for x in xs:
        change_argument(table, x + table["a"], flag)
    return table


@program((2.0, True), (2.0, False))
def attribute_deleted_on_one_side(x, flag):
    tally = Tally()
    if flag:
        tally.add(x)
        tally.table["a"] = x
    return tally.table["a"] + tally.total


@program((3.0, 2), (3.0, 0))
def returned_from_a_loop_after_a_method(x, n):
    tally = Tally()
    for i in range(n + 3):
        tally.add(x)
        if i >= n:
            return tally.total
    return tally.total * 100.0


@program([1.0, 5.0, 2.0], [1.0], unknown=True)
def broken_loop_with_a_method(xs):
    tally = Tally()
    for x in xs:
        tally.add(x)
        if tally.total > 4.0:
            break
    else:
        tally.add(1000.0)
    return tally.total, tally.count


@program((True, False, 2.0), (True, True, 2.0), (False, True, 2.0))
def method_in_nested_branches(a, b, x):
    tally = Tally()
    if a:
        if b:
            tally.add(x)
        else:
            tally.add_twice(x)
        tally.add(1.0)
    return tally.total, tally.count


@program((True, 2.0), (False, 2.0))
def method_in_a_conditional_expression(flag, x):
    tally = Tally()
    y = tally.next() if flag else 0
    return y, tally.count, x


@program((True, 2.0), (False, 2.0))
def method_in_the_second_operand(flag, x):
    tally = Tally()
    y = flag and tally.next() > 0
    return y, tally.count, x


@program((3.0, True), (3.0, False))
def guarded_conditional_value(x, flag):
    scale = x if flag else None
    shift = None if flag else 1.0
    if scale is not None and x > 1.0:
        x = x * scale
    if shift is None:
        return x
    return x + shift


@program((3.0, True), (3.0, False))
def none_copied_to_another_name(x, flag):
    scale = 2.0 if flag else None
    other = scale
    if other is not None:
        x = x * other
    return x


@program((3.0, True), (3.0, False))
def none_in_an_attribute(x, flag):
    tally = Tally()
    if flag:
        tally.best = x
    if tally.best is not None:
        x = x + tally.best
    return x


@program((3.0, True), (3.0, False))
def none_in_the_expression(x, flag):
    scale = 2.0 if flag else None
    return x if scale is None else x * scale


@program((3.0, 2.0), (1.0, 2.0))
def one_of_two_is_changed(x, limit):
    small, big = [], []
    (big if x > limit else small).append(x)
    one, other = Tally(), Tally()
    (one if x > limit else other).add(x=x)
    table = {"a": [1.0], "b": [2.0]}
    (table["a"] if x > limit else table["b"]).append(x)
    return len(small), len(big), one.total, other.total, table


@program([1.0, 4.0, 6.0])
def one_of_two_is_changed_in_a_loop(xs):
    small, big = [], []
    for x in xs:
        (big if x > 2 else small).append(x)
    return len(small), len(big), big


class Counting:
    def __init__(self):
        self.n = 0
        self.items = []

    def counted(self, k):
        self.n += 1
        yield self.n + k
        self.more(k)

    def more(self, k):
        if k > 1:
            self.n += 100

    @contextlib.contextmanager
    def opened(self):
        self.n += 1
        yield
        self.n += 10


def filling(items, x):
    items.append(x)
    yield x


@contextlib.contextmanager
def opened(counting):
    counting.n += 1
    try:
        yield counting.n
    finally:
        counting.n += 10


@program(3, 0)
def a_generator_that_changes_its_object(n):
    counting, total = Counting(), 0
    for i in tf.range(n):
        for value in counting.counted(i):
            total += value
    return counting.n, total


@program(3, 0)
def a_generator_that_changes_what_its_loop_changes(n):
    counting = Counting()
    for i in tf.range(n):
        for value in counting.counted(i):
            if value > 1:
                counting.n += 1
    return counting.n


@program(3, 0)
def a_generator_that_changes_a_list(n):
    items = []
    for i in tf.range(n):
        for _ in filling(items, i):
            pass
    return items


@program(3, 0)
def a_generator_that_changes_a_variable_around(n):
    count = 0

    def counting():
        nonlocal count
        count += 1
        yield count

    for _ in tf.range(n):
        for _ in counting():
            pass
        sum(counting())
    return count


@program(3, 0)
def context_managers_that_change_objects(n):
    counting = Counting()
    for _ in tf.range(n):
        with opened(counting):
            pass
        with counting.opened() as nothing, contextlib.ExitStack() as stack:
            stack.enter_context(opened(counting))
            counting.n += 0 if nothing is None else 1
    return counting.n


@program(3, -3)
def a_generator_in_a_branch(n):
    counting = Counting()
    if n > 2:
        next(counting.counted(n))
    return counting.n


async def later(counting):
    counting.n += 1


@program(3, 0)
def a_coroutine_that_changes_an_object(n):
    counting = Counting()
    for _ in tf.range(n):
        try:
            later(counting).send(None)
        except StopIteration:
            pass
    return counting.n


@program([1.0, 2.0], refused="TypeError: 'items' is changed by a function that tf.map_fn runs in the graph")
def a_list_that_map_fn_fills(xs):
    items = []

    def keep(x):
        items.append(x)
        return x

    return tf.map_fn(keep, xs), len(items)


@program([1.0, 2.0], refused="TypeError: write `for` instead of tf.vectorized_map")
def a_list_that_vectorized_map_fills(xs):
    items = []
    return tf.vectorized_map(lambda x: items.append(1) or x, xs), len(items)


@program([1.0, 2.0], refused="TypeError: 'counting.n' is changed by a function that tf.scan runs in the graph")
def an_attribute_that_scan_counts_up(xs):
    counting = Counting()

    def add(total, x):
        counting.n += 1
        return total + x

    return tf.scan(add, xs), counting.n


class Counted:
    n = 0


@program([1.0, 2.0], refused="TypeError: 'counted.n' is changed by a function that tf.map_fn runs in the graph")
def an_attribute_of_the_class_that_map_fn_counts_up(xs):
    counted = Counted()

    def numbered(x):
        counted.n = counted.n + 1
        return x + counted.n

    return tf.map_fn(numbered, xs)


@program([1.0, 2.0], refused="TypeError: write `if` instead of tf.cond")
def a_list_that_cond_fills(xs):
    items = []

    def negative():
        items.append(1)
        return 1.0

    is_positive = xs[0] > 0
    return tf.cond(is_positive, lambda: 2.0, negative), len(items)


@program(3)
def a_variable_that_is_new_to_each_iteration_of_while_loop(n):
    def numbered(values):
        last = -1

        def number(x):
            nonlocal last
            last += 1
            return x + last

        return tf.nest.map_structure(number, values)

    return tf.while_loop(lambda i, x, y: i < n, lambda i, x, y: (i + 1, *numbered((x, y))), (0, 1, 2))


@program([1.0, 2.0])
def what_map_fn_sets_to_the_same(xs):
    counting, levels = Counting(), [0]

    def scaled(x):
        own = []
        own.append(x)
        levels[0] = 5
        counting.level = 3
        return own[0] * levels[0]

    return tf.map_fn(scaled, xs), levels, counting.level
