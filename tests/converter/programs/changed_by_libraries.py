"""Programs in which code of libraries changes what it is given, where the graph decides whether and how often."""

from __future__ import annotations

import bisect
import collections
import heapq
import io
import operator
import queue

import numpy as np
from differential import program

ONCE = "TypeError: while a branch or loop of the graph is traced, which happens once"
IN_A_BRANCH = "TypeError: changes in a branch that the graph decides"
IN_A_LOOP = "TypeError: changes in a loop that the graph runs"


@program(2.0, -2.0)
def a_heap_in_a_branch(x):
    heap = [4, 2, 9]
    heapq.heapify(heap)
    least = 7
    if x > 0:
        heapq.heappush(heap, 1)
    else:
        least = heapq.heappop(heap)
    return sorted(heap), least


@program(2.0, -2.0)
def inserted_in_order(x):
    marks = [1, 5]
    same = marks
    if x > 0:
        bisect.insort(marks, 3)
    return same, len(marks)


@program(2.0, -2.0)
def changed_by_operators_as_functions(x):
    numbers, scale = [1, 2, 3], {"by": 1.0}
    same = numbers
    if x > 0:
        operator.setitem(scale, "by", 3.0)
        operator.delitem(numbers, 0)
    else:
        operator.iadd(numbers, [4])
    return same, x * scale["by"]


@program([1.0, 2.0, 3.0])
def changed_in_a_loop(xs):
    totals = {"sum": 0.0}
    for x in xs:
        operator.setitem(totals, "sum", totals["sum"] + x)
    return totals


@program(2.0, -2.0)
def methods_of_classes(x):
    numbers = [1]
    if x > 0:
        list.append(numbers, 2)
        operator.methodcaller("append", 3)(numbers)
    return numbers


@program([1.0, 2.0])
def made_and_changed_in_an_iteration(xs):
    total = 0.0
    for x in xs:
        heap = list((3, 1, 2))
        heapq.heapify(heap)
        weights = np.zeros(3, np.float32)
        weights.fill(4)
        np.add(weights, 1, out=weights)
        text = io.StringIO()
        text.write("ab")
        total += x * heapq.heappop(heap) * weights[0] + len(text.getvalue())
    return total


@program(-2.0, refused=IN_A_BRANCH)
def an_array_that_is_filled(x):
    weights = np.zeros(3)
    if x > 0:
        weights.fill(7)
    return weights


@program(-2.0, refused=IN_A_BRANCH)
def an_array_to_write_to(x):
    weights = np.zeros(3)
    if x > 0:
        np.add(weights, 1, out=weights)
    return weights


@program([1.0, 2.0], refused=ONCE)
def text_that_is_written_to(xs):
    text = io.StringIO()
    for _ in xs:
        text.write("x")
    return text.getvalue()


@program([1.0, 2.0], refused=ONCE)
def a_queue_that_is_filled(xs):
    waiting = queue.Queue()
    for _ in xs:
        waiting.put(1)
    return waiting.qsize()


@program(-2.0, refused=IN_A_BRANCH)
def an_order_that_changes(x):
    known = collections.OrderedDict(first=1, second=2)
    if x > 0:
        known.move_to_end("first")
    return list(known)


@program([1.0, 2.0])
def a_heap_of_a_list_that_gets_longer(xs):
    found = []
    for x in xs:
        found.append(x)
        heapq.heapify(found)
    return found


def count(found):
    found += 1


@program([1.0, 2.0], refused=IN_A_LOOP)
def an_array_that_a_helper_changes(xs):
    found = np.zeros(2)
    for _ in xs:
        count(found)
    return found


@program(-2.0, refused=IN_A_BRANCH)
def an_element_of_an_array(x):
    weights = np.zeros(3)
    same = weights
    if x > 0:
        weights[1] = 7
    return same


def join(found, more):
    found |= more


@program(2.0, -2.0)
def a_dict_that_a_helper_joins(x):
    found = {"scale": 1.0}
    if x > 0:
        join(found, {"scale": 2.0})
    return found["scale"] * x


@program(-2.0, refused="TypeError: the order of 'known' would depend on which branch")
def an_order_of_keys_that_are_set_again(x):
    known = collections.OrderedDict(first=1, second=2)
    if x > 0:
        known["first"] = known.pop("first")
    return list(known)


@program(-2.0, 2.0)
def a_counter_that_is_updated(x):
    counts = collections.Counter(x=1)
    if x > 0:
        counts.update(x=2)
    return counts["x"]
