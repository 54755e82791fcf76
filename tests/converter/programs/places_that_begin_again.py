"""Lists in attributes that are given to other attributes and begun again, swapped, or kept where the graph says so."""

from __future__ import annotations

from dataclasses import dataclass

import tensorflow as tf
from differential import program


class Run:
    def __init__(self):
        self.best = [0, 0]
        self.part = [0, 0]

    def add(self, k):
        self.part[0] += k
        if k == 3:
            self.keep()

    def keep(self):
        self.best = self.part
        self.part = [0, 0]


@program(5, 2)
def kept_by_a_method(n):
    run = Run()
    for k in tf.range(n):
        run.add(k)
    return run.best, run.part


@program(2.0, -2.0)
def kept_in_a_branch(x):
    run = Run()
    if x > 0:
        run.best = run.part
        run.part = [5, 5]
    run.best[0] += 10
    run.part[1] += 20
    return run.best, run.part


@program((2.0, 1.0), (2.0, -1.0), (-2.0, 1.0))
def kept_and_sometimes_begun_again(x, y):
    run = Run()
    if x > 0:
        run.best = run.part
        if y > 0:
            run.part = [5, 5]
    run.part[0] += 1
    run.best[1] += 2
    return run.best, run.part


@program((2.0, 1.0), (2.0, -1.0), (-2.0, 1.0))
def begun_again_or_kept(x, y):
    run = Run()
    if x > 0:
        if y > 0:
            run.part, run.best = [3, 3], run.part
        else:
            run.best = run.part
    run.part[0] += 1
    run.best[1] += 2
    return run.best, run.part


@program([1, 2, 3, 4, 5], [4, 1], [1])
def kept_and_sometimes_begun_again_in_a_loop(xs):
    run = Run()
    for x in xs:
        run.part[0] += x
        if x >= 2:
            run.best = list(run.part)
            if x > 3:
                run.part = [0, 0]
    run.best[1] = 9
    return run.best, run.part


class Search:
    def __init__(self):
        self.best = None
        self.current = [0, 0]


@program([1, 2, 3, 4, 5])
def nothing_is_kept_at_first(xs):
    search = Search()
    for x in xs:
        search.current[0] += x
        if x == 3:
            search.best = search.current
            search.current = [0, 0]
    return search.current, search.best


@dataclass
class Buffers:
    front: list[int]
    back: list[int]


@program([1, 2, 3], [1, 2])
def swapped_buffers(xs):
    buffers = Buffers([0, 0], [1, 1])
    first = buffers.front
    for x in xs:
        if x % 2 == 1:
            buffers.front, buffers.back = buffers.back, buffers.front
        buffers.front[0] += x
    first[1] = 9
    return buffers.front, buffers.back


class Memory(tf.Module):
    def __init__(self):
        super().__init__()
        self.sums = [0, 0]
        self.log = []
        self.counts = {"n": 0}

    def add(self, x):
        self.log.append(x)

    def restart(self, x):
        self.sums[0] = self.sums[0] + x
        if x == 3:
            self.sums = [0, 0]


@program(5, 0)
def list_of_a_module_in_a_loop(n):
    memory = Memory()
    for k in tf.range(n):
        memory.sums[0] = memory.sums[0] + k
        memory.add(k)
    return memory.sums[0] + 0, len(memory.log)


@program(2, -2)
def list_of_a_module_in_a_branch(x):
    memory = Memory()
    if x > 0:
        memory.sums[1] = x
        memory.add(x)
        memory.counts["n"] = 4
    return memory.sums[1] + 0, len(memory.log), memory.counts["n"] + 0


@program(5, 2)
def list_of_a_module_begins_again(n):
    memory = Memory()
    for k in tf.range(n):
        memory.restart(k)
    return memory.sums[0] + 0


@program(2, -2)
def list_of_a_module_gets_shorter(x):
    memory = Memory()
    if x > 0:
        memory.sums.pop()
    return len(memory.sums)


class Levels:
    def __init__(self):
        self.level = [1]
        self.following = []

    def descend(self):
        self.level, self.following = self.following, []


@program([1, 2, 3, 4, 5], [1])
def levels_of_a_search(xs):
    levels = Levels()
    for x in xs:
        levels.following.append(x)
        if x % 2 == 0:
            levels.descend()
    return levels.level, levels.following


@program([1, 2, 3, 4, 5])
def longer_part_that_is_kept(xs):
    best, part = None, []
    for x in xs:
        part.append(x)
        if x == 3:
            best = part
            part = []
    return len(part), tf.stack(part), best


@program([1, 2, 3])
def one_list_by_two_names(xs):
    first = []
    second, other, count = first, [], 0
    for x in xs:
        first.append(x)
        if first is second:
            count += 1
    return first is second, first is other, first is not second, count
