"""Programs in which the graph changes deques: at both ends, in branches, loops and helpers, and full ones."""

from __future__ import annotations

import copy
from collections import deque

import tensorflow as tf
from differential import program


class Recent:
    def __init__(self, size):
        self.values: deque[object] = deque(maxlen=size)

    def put(self, x):
        if x > 0:
            self.values.append(x)

    def total(self):
        return sum(self.values, 0.0)


def push(queue, x):
    if x > 0:
        queue.append(x)
    else:
        queue.appendleft(0.5)


@program([1.0, -2.0, 3.0, 4.0], [2.0])
def a_full_window(xs):
    window = deque([0.0, 0.0, 0.0], maxlen=3)
    total = 0.0
    for x in xs:
        window.append(x)
        total += window[0] * 2 + sum(window)
    return total, list(window)


@program([1.0, -2.0, 3.0, 4.0], [2.0])
def filled_from_nothing(xs):
    last, first = deque(maxlen=2), deque(maxlen=2)
    for x in xs:
        last.append(x)
        first.appendleft(x)
    total = 0.0
    for x in last:
        total = total * 10 + x
    for x in first:
        total = total * 10 + x
    return total, len(last), len(first)


@program([7.0, 1.5, -1.0], [1.0])
def a_queue_of_work(xs):
    queue = deque(xs)
    seen, steps = 0.0, 0
    while queue and steps < 12:
        x = queue.popleft()
        seen = seen * 1.5 + x
        steps += 1
        if x > 1.5:
            queue.append(x - 1.0)
            queue.append(x / 2.0)
        elif x > 1:
            queue.appendleft(x - 2.0)
    return seen, steps, len(queue)


@program([1.0, -2.0, 3.0], [-1.0])
def turned_round(xs):
    known, grown = deque([1.0, 2.0, 3.0, 4.0]), deque([1.0])
    for x in xs:
        if x > 0:
            known.rotate(1)
            grown.append(x)
            grown.rotate(1)
        else:
            known.rotate(-1)
            grown.extendleft([x, 2.0])
    known.rotate(tf.cast(xs[0], tf.int32))
    grown.rotate(2)
    return list(known), list(grown), grown[0], grown[-1]


@program([1.0, -2.0, 3.0], [-1.0])
def by_helpers_and_objects(xs):
    queue, recent = deque([], 3), Recent(2)
    same = queue
    for x in xs:
        push(queue, x)
        recent.put(x)
    return list(same), sum(queue, 0.0), recent.total(), len(recent.values)


@program([1.0, -2.0, 3.0], [-1.0])
def from_and_to_lists(xs):
    grown = []
    for x in xs:
        if x > 0:
            grown.append(x)
    queue, last = deque(grown), deque(grown, maxlen=1)
    queue.extendleft(grown)
    queue.extend(xs)
    last.extend(xs)
    items = list(last)
    items.append(5.0)
    items.extend(queue)
    kinds = isinstance(items, list), isinstance(queue, deque), isinstance(queue, list)
    return list(queue), list(last), len(items), kinds


@program([1.0, -2.0, 3.0], [-1.0])
def items_of_it(xs):
    queue = deque([1.0, 2.0])
    for x in xs:
        queue.append(x)
        queue[-2] = x * 2
        queue[0] += 1.0
    del queue[0]
    queue.insert(1, 8.0)
    place = tf.cast(tf.abs(xs[0]), tf.int32)
    known = deque([1.0, 2.0, 3.0])
    known[place] = 7.0
    known.insert(place, 4.0)
    del known[place - 1]
    return list(queue), queue.count(8.0), queue.index(8.0), 3.0 in queue, list(known), known[place]


@program([1.0, -2.0, 3.0], [-1.0])
def another_in_its_place(xs):
    queue, kept = deque([1.0]), {"a": deque(maxlen=2), "b": deque([1.0])}
    for x in xs:
        if x < 0:
            queue = deque([x])
        else:
            queue.append(x)
        kept["a"].append(x)
        if x > 2:
            kept["b"].popleft()
    other = copy.copy(queue)
    other.pop()
    return list(queue), len(other), list(kept["a"]), len(kept["b"]), queue == deque([1.0, 1.0]), [1.0] == queue


@program(1.0, -1.0)
def given_back(x):
    queue = deque([x, 2.0], maxlen=2)
    if x > 0:
        queue.append(5.0)
    return queue[0], queue.maxlen, f"{deque([1, 2])}" == "deque([1, 2])"


@program([1.0, 2.0, 3.0], refused="TypeError: `queue` and another name of the deque may be the same deque here")
def of_which_the_graph_chooses_one(xs):
    one, two = deque([1.0]), deque([2.0])
    queue = one if xs[0] > 5 else two
    queue.append(3.0)
    return list(one), list(two)


@program([1.0, 2.0], refused="TypeError: a deque with `maxlen` can't be an element of 'rows'")
def a_full_one_in_a_list(xs):
    rows = []
    for x in xs:
        rows.append(deque([x], maxlen=2))
    return len(rows)


@program([1.0, 2.0, 3.0])
def taken_from_an_empty_one(xs):
    queue = deque([1.0])
    for x in xs:
        queue.append(queue.popleft() + queue.popleft() + x)
    return len(queue)
