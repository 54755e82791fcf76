"""Lists and dicts that are changed in a loop, and replaced by new or other ones in some iterations."""

import tensorflow as tf
from differential import program


@program(3, 0)
def counts_from_zero_again(n):
    counts = [0]
    for _ in range(n):
        counts[0] += 1
        if counts[0] > 5:
            counts = [0]
    return counts


@program(8)
def dict_from_zero_again(n):
    counts = {"n": 0}
    for _ in range(n):
        counts["n"] += 1
        if counts["n"] > 5:
            counts = {"n": 0}
    return counts


@program(3, 1)
def longest_run(n):
    best, run = [], []
    for k in range(n):
        if k != 1:
            run.append(k)
        else:
            run = []
        if len(run) > len(best):
            best = list(run)
    return best, run


@program(4, 1)
def flushed(n):
    data, old = [], []
    for k in range(n):
        data.append(k)
        if k == 1:
            old = data
            data = []
    return data, old


class Pages:
    def __init__(self):
        self.page = []
        self.last = []

    def turn(self):
        self.last = self.page
        self.page = []


@program(1)
def pages_that_a_method_turns(x):
    pages = Pages()
    for i in tf.range(5):
        pages.page.append(i + x)
        if i == 2:
            pages.turn()
    return pages.last, pages.page


@program(3)
def undone(n):
    position = [0]
    for _ in range(n):
        old = list(position)
        position[0] += 1
        if position[0] > 5:
            position = old
    return position


@program(3)
def items_of_a_dict_that_begin_again(n):
    slots = {"w": [0.0]}
    for _ in range(n):
        slots["w"][0] += 1.0
        if slots["w"][0] > 5.0:
            slots["w"] = [0.0]
    return slots["w"][0]


@program(3)
def until_it_breaks(n):
    counts = [0]
    while True:
        counts[0] += 1
        if counts[0] >= n:
            break
        if counts[0] > 50:
            counts = [0]
    return counts


@program(3)
def buffers_swapped_in_a_list(n):
    buffers = [[1], [0]]
    for k in range(n):
        buffers[0], buffers[1] = buffers[1], buffers[0]
        buffers[0][0] += k
    return buffers


@program(3)
def rows_in_a_queue(n):
    rows = [[0], [0]]
    for _ in range(n):
        row = rows.pop(0)
        row[0] += 1
        rows.append(row)
    return rows


@program(1, 0)
def none_or_a_list(x):
    first = [1]
    second = None
    if x > 0:
        second = first
    if second is not None:
        second.append(3)
        second[0] = 7
    return first


@program(1, 0)
def none_or_a_list_of_a_function(x):
    found = {"a": [1]}

    def get(x):
        if x > 0:
            return found["a"]
        return None

    result = get(x)
    if result is not None:
        result.append(3)
    return found["a"]
