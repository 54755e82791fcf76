"""Programs in which a list that the graph makes longer has two names, or is a helper's argument."""

from __future__ import annotations

import tensorflow as tf
from differential import program

REFUSAL = "TypeError: longer under another name"


class Log:
    def __init__(self):
        self.steps = []

    def fill(self, n):
        for i in range(n):
            self.steps.append(i)


def collect(steps, n):
    for i in range(n):
        if i % 2 == 0:
            steps.append(i)
    return steps


@program(3, 1)
def filled_by_a_helper(n):
    steps = []
    collect(steps, n)
    return len(steps), sum(steps), [step * 2 for step in steps], n in steps, steps


@program(3, 1)
def under_its_second_name(n):
    steps = []
    rows = steps
    for i in range(n):
        steps.append(i)
    for i in range(n):
        rows.append(i * 10)
    last = steps
    for i in range(n):
        steps.append(i * 100)
    return len(rows), len(steps), sum(rows), sum(last), {"rows": rows}


@program(3, 1)
def second_name_in_a_branch(n):
    steps = []
    rows = steps
    for i in range(n):
        steps.append(i)
    if n > 2:
        rows.append(7)
    return sum(steps), sum(rows)


@program(5, 1)
def asked_under_its_second_name_in_the_loop(n):
    steps = []
    rows = steps
    for i in range(n):
        if i > 0:
            steps.append(i)
        if len(rows) > 2:
            break
    return len(steps), len(rows)


@program(3, 1)
def as_long_as_its_second_name_is_short(n):
    steps = []
    rows = steps
    for i in range(n):
        steps.append(i)
    while len(rows) < 6:
        steps.append(1)
    return sum(steps), sum(rows)


@program(3, 1)
def another_list_by_the_same_name(n):
    steps = [0]
    rows = steps
    for i in range(n):
        steps = steps + [i + len(rows)]
    return steps, rows


@program(3, 1)
def copies_stay(n):
    steps = []
    rows, all_of_it = list(steps), steps[:]
    for i in range(n):
        steps.append(i)
    return len(steps), len(rows), len(all_of_it)


@program(3, 1)
def on_an_object_and_by_name(n):
    log = Log()
    steps = log.steps
    log.fill(n)
    log.fill(n)
    return len(steps), len(log.steps), sum(steps)


@program(3, 1)
def in_a_dict_and_by_name(n):
    logs = {"train": [], "test": []}
    steps = logs["train"]
    for i in range(n):
        for j in range(i):
            logs["train"].append(j)
    for i in range(n):
        steps.append(i)
    return len(steps), sum(logs["train"]), len(logs["test"])


@program(3, 1)
def popped_under_its_second_name(n):
    steps = []
    rows = steps
    for i in range(n):
        steps.append(i)
    for _ in range(n):
        rows.pop()
    return len(steps), len(rows)


@program(2, 0)
def longer_in_a_branch_alone(n):
    steps = []
    rows = steps
    if n > 1:
        steps.append(n)
    return len(rows), len(steps)


@program(3)
def item_under_its_second_name(n):
    steps = []
    rows = steps
    for i in range(n):
        steps.append(i)
    return rows[0] + 1


@program(3, refused=REFUSAL)
def stacked_under_its_second_name(n):
    steps = []
    rows = steps
    for i in range(n):
        steps.append(i)
    return tf.stack(rows)


@program(3, 0)
def longer_in_python_under_its_second_name(n):
    steps = []
    rows = steps
    for i in range(n):
        steps.append(i)
    rows.append(9)
    return len(steps)


@program(3, 0, refused=REFUSAL)
def longer_while_python_goes_over_it(n):
    steps = [1, 2, 3]
    total = 0
    for step in steps:
        total += step
        if n > 1 and len(steps) < 5:
            steps.append(step)
    return total


@program(1, 0, 3, -1)
def a_slice_that_the_graph_finds(n):
    xs, ys = [1, 2, 3], [1, 2, 3]
    both, other = [xs, ys], xs
    xs[n:] = [8]
    del ys[:n]
    return xs, other, ys, both[1], len(other)


class Holder:
    def __init__(self, items):
        self.items = items


def cut(items, n):
    del items[n:]


def put(items, n):
    items[n:] = [5, 6]


@program(1, 2)
def slices_of_what_is_held(n):
    holder, by_key = Holder([1, 2, 3]), {"a": [1, 2, 3]}
    held, found = holder.items, by_key["a"]
    holder.items[n:] = [8]
    by_key["a"][n:] = [9]
    del by_key["a"][:1]
    cut(held, n)
    put(found, 1)
    return holder.items, held, by_key, found


@program(1, 0)
def slices_cut_in_a_branch(n):
    xs = [1, 2, 3]
    ys = xs
    if n > 0:
        del xs[n:]
    ys.append(8)
    return xs, ys


@program(2, 4)
def slices_cut_in_a_loop(n):
    kept = []
    for i in tf.range(6):
        kept.append(i)
        if len(kept) > n:
            del kept[: len(kept) - n]
    return kept


@program(2, -1, -2, 5)
def a_slice_with_a_step_that_the_graph_finds(step):
    xs, three = [1, 2, 3, 4, 5], (1, 2, 3)
    ys = [x * step for x in tf.range(4)]
    zs = xs[::step], xs[3:0:step], ys[::step], three[1::step]
    del xs[::step]
    return zs, xs


@program(0, refused="ValueError: slice step cannot be zero")
def a_step_of_zero(step):
    xs = [1, 2, 3]
    return xs[::step]


@program(1.0, -1.0)
def lists_of_a_dict_that_python_goes_over(x):
    log = {"up": [x], "down": [x]}
    log["up" if x > 0 else "down"].append(x * 2)
    stacked = {}
    for name, values in log.items():
        stacked[name] = tf.reduce_sum(tf.stack(values))
    for values in log.values():
        values.append(x * 3)
        print(values)
    return stacked, log["up"], log["down"]
