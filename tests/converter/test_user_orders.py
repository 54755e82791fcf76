"""Objects whose classes compare tensors: `min`, `max`, `sorted`, `sort`, `remove`; heaps; generic classes."""

from __future__ import annotations

import functools
import heapq
from collections.abc import Callable
from heapq import heapify, heappop, heappush, heappushpop, heapreplace
from typing import Any, Generic, TypeVar

import graphwright as gw
import pytest
import tensorflow as tf

Item = TypeVar("Item")


class Base:
    def __init__(self, cost, name):
        self.cost = cost
        self.name = name

    def __eq__(self, other):
        return self.cost == other.cost

    def __hash__(self):
        return id(self)


class Less(Base):
    def __lt__(self, other):
        return self.cost < other.cost


class Greater(Base):
    def __gt__(self, other):
        if other.cost > 0:
            return self.cost > other.cost
        return self.cost > other.cost


@functools.total_ordering
class FromLess(Base):
    def __lt__(self, other):
        return self.cost < other.cost


@functools.total_ordering
class FromLessOrEqual(Base):
    def __le__(self, other):
        return self.cost <= other.cost


@functools.total_ordering
class FromGreater(Base):
    def __gt__(self, other):
        return self.cost > other.cost


@functools.total_ordering
class FromGreaterOrEqual(Base):
    def __ge__(self, other):
        return self.cost >= other.cost


ORDERED = [FromLess, FromLessOrEqual, FromGreater, FromGreaterOrEqual]
COSTS = [(3.0, 1.0, 2.0), (1.0, 1.0, 1.0), (1.0, 2.0, 3.0), (2.0, 3.0, 1.0)]


def values_of(found: Any) -> Any:
    return [part.numpy().tolist() if tf.is_tensor(part) else part for part in tf.nest.flatten(found)]


def agree(program: Callable[..., Any], *costs: float):
    arguments = [tf.constant(cost) for cost in costs]
    assert values_of(gw.function(program)(*arguments)) == values_of(program(*arguments))
    assert values_of(gw.function(program, jit_compile=True)(*arguments)) == values_of(program(*arguments))


@pytest.mark.parametrize("costs", COSTS)
@pytest.mark.parametrize("kind", [Less, Greater, *ORDERED])
def test_objects_are_ordered_as_their_class_says(kind: Any, costs: tuple[float, ...]):
    def ordered(a, b, c):
        items = [kind(a, 1), kind(b, 2), kind(c, 3)]
        names = [item.name for item in sorted(items)], [item.name for item in sorted(items, reverse=True)]
        items.sort()
        return min(items).name, max(items).cost, max(*items).name, names, [item.name for item in items]

    agree(ordered, *costs)


@pytest.mark.parametrize("costs", COSTS)
@pytest.mark.parametrize("kind", ORDERED)
def test_total_ordering_adds_the_other_comparisons(kind: Any, costs: tuple[float, ...]):
    def compared(a, b, _):
        x, y = kind(a, 1), kind(b, 2)
        found = 0
        if x < y:
            found += 1
        if x <= y:
            found += 10
        if x > y:
            found += 100
        if x >= y:
            found += 1000
        return found

    agree(compared, *costs)


@pytest.mark.parametrize("costs", COSTS)
def test_the_object_that_the_graph_finds_is_removed(costs: tuple[float, ...]):
    class Task:
        def __init__(self, cost, name):
            self.cost = cost
            self.name = name
            self.done_at = 0.0

    def scheduled(a, b, c):
        tasks = [Task(a, 1), Task(b, 2), Task(c, 3)]
        waiting, clock, order = list(tasks), 0.0, []
        while waiting:
            task = min(waiting, key=lambda each: each.cost)
            waiting.remove(task)
            clock += task.cost
            task.done_at = clock
            order.append(task.name)
        return order, [task.done_at for task in tasks]

    agree(scheduled, *costs)


def pushed(xs):
    heap = []
    for number, x in enumerate(tf.unstack(xs)):
        heappush(heap, (x, number))
    return heap, heappop(heap), [number for _, number in heap]


def in_a_loop(xs):
    heap = []
    for x in xs:
        heapq.heappush(heap, x)
        if len(heap) > 2:
            heapq.heappop(heap)
    return heap[0]


def emptied(xs):
    heap = []
    for number, x in enumerate(xs):
        heappush(heap, (x, number))
    total = 0
    while heap:
        _, number = heappop(heap)
        total = total * 10 + number
    return total


def in_a_branch(xs):
    heap = []
    for x in tf.unstack(xs):
        if x > 0:
            heappush(heap, x)
    return heappop(heap), heappop(heap), len(heap)


def greatest(xs):
    heap = list(tf.unstack(xs[:3]))
    heapify(heap)
    for x in tf.unstack(xs[3:]):
        if x > heap[0]:
            heapreplace(heap, x)
    return heap


def pushed_and_popped(xs):
    heap = [-9.0, -9.0]
    return [heappushpop(heap, x) for x in tf.unstack(xs)], heap


def of_numbers(xs):
    heap = [3, 1, 2]
    heapify(heap)
    if xs[0] > 0:
        heappush(heap, 0)
    return heappop(heap), len(heap)


@pytest.mark.parametrize("program", [pushed, in_a_loop, emptied, in_a_branch, greatest, pushed_and_popped, of_numbers])
def test_heaps_are_in_the_order_that_python_has(program: Callable[..., Any]):
    for values in ([3.0, -2.0, 3.0, 4.0, 1.0], [-1.0, 5.0, 4.0, 3.0, 2.0]):
        xs = tf.constant(values)
        assert values_of(gw.function(program)(xs)) == values_of(program(xs))


class Stack(Generic[Item]):
    def __init__(self, x):
        self.items = [x if x > 0 else -x]


def test_a_generic_class_is_made_with_its_types():
    def first(x):
        stack = Stack[int](x)
        return stack.items[0], stack.__orig_class__ == Stack[int]  # pyright: ignore[reportAttributeAccessIssue]

    for x in (-5, 5):
        found, is_same = gw.function(first)(tf.constant(x))
        assert found.numpy() == 5 and is_same


def test_a_loop_over_a_generator_expression():
    def total(xs):
        found = 0.0
        for y in (abs(x) for x in xs if x < 3):
            if y > 7:
                break
            found += y
        return found

    for values in ([1.0, -2.0, 9.0, 2.0], [1.0, -8.0, 2.0, 0.0]):
        assert gw.function(total)(tf.constant(values)).numpy() == total(tf.constant(values)).numpy()
