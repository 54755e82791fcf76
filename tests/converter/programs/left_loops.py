"""Loops of Python's that a tensor leaves, and what their turns change in lists, dicts and deques."""

from collections import deque

import tensorflow as tf
from differential import program


@program(1, 3, 0)
def items_until_left(m):
    found = {"k": 1}
    for i in range(3):
        found["k"] = i + 1
        if m > i:
            break
    return found


@program(1, 3, 0)
def elements_until_left(m):
    xs = [0]
    for i in range(3):
        xs.append(i)
        if m > i:
            break
    return xs


@program(1, 3)
def elements_until_returned(m):
    xs = [0, 5]
    for i in range(3):
        xs.append(m + i)
        if m > 2:
            xs.append(i)
            return xs
        xs.append(m + i)
    return xs


@program(1, 3)
def longer_and_returned(m):
    xs = [0, 5]
    for i in range(3):
        xs.append(i)
        if m > 2:
            return xs
    return xs


@program(1, 3)
def two_names_until_left(m):
    xs = [0, 5]
    ys = xs
    for i in range(4):
        xs.append(i)
        ys.append(i)
        if i > m:
            break
    return xs, ys


@program(0, 3)
def returned_under_two_names(m):
    d = {"k": 1}
    e = d
    for _ in range(2):
        if m > 2:
            d["k"] = 2
            return d, e
        d = {"k": m}
    return d, e


@program(0, 3)
def replaced_after_it_was_longer(m):
    xs = [0, 5]
    ys = xs
    for i in range(3):
        if m > i:
            xs.append(m + i)
            break
        xs = [1, 2]
    return xs, ys


@program(0, 2)
def made_in_each_turn(m):
    xs = [0, 0]
    for i in range(3):
        xs = [1, m + i]
        if m > i:
            break
        xs = [1, i]
    return xs


@program(0, 2)
def shared_with_a_function(m):
    d = {"k": 1, "t": 2}

    def change(value):
        d["t"] = value

    for i in range(3):
        change(i)
        if m > i:
            break
        d = {"k": 3, "t": 1}
    return d


def _logged(m, log):
    for i in range(2):
        if m > i:
            return i
    log.append(m)
    return 0


@program(-1, 3)
def a_callers_list(m):
    log = [m]
    first = _logged(m, log)
    return first, log


@program(1, 3)
def a_deque_until_returned(m):
    recent = deque([1, 2], maxlen=3)
    for _ in range(3):
        if m > 2:
            recent.append(4)
            return list(recent)
    return list(recent)


@program(-1, 1, 3)
def longer_replaced_and_longer(m):
    xs = [0, 5]
    ys = xs
    if m < 1:
        xs.append(1)
    if m > 2:
        xs = [1, 2]
    xs.append(tf.constant(2))
    return xs, ys


@program(-1, 3)
def longer_under_both_names_in_turn(m):
    xs = [0, 5]
    ys = xs
    if m > 2:
        xs = [1, 1]
    if m < 4:
        xs.append(2)
        if m < 3:
            ys.append(3)
            if m < 2:
                xs.append(4)
    return xs, ys


@program(0, 3, 9)
def returned_or_longer_after_the_loop(m):
    xs = [0, 5]
    ys = xs
    for _ in tf.range(3):
        if len(xs) > m:
            return xs, ys
        xs.append(xs[0])
    xs.append(7)
    return xs, ys


@program(-2, 0, 2)
def changed_and_left_or_returned_by_a_loop_inside(m):
    found = {"k": 1}
    xs = [0, 5]
    for i in tf.range(3):
        if m > i:
            found["k"] = m + i
            break
        for _ in tf.range(3):
            if m < -1:
                return found, xs
    return found, xs


@program(-2, 0, 2)
def in_a_list_that_a_loop_inside_returns(m):
    found = {"k": 1}
    rows = [found, {"k": 4}]
    for i in tf.range(3):
        if m == i:
            break
        for _ in tf.range(3):
            found.update(k=i + 1)
            if m < -1:
                return found, rows
    return found, rows


@program(-1, 1, 3)
def renewed_and_returned_by_a_loop_inside(m):
    found = {"k": 1, "t": 2}
    also = found

    def put(value):
        found["t"] = value

    for i in range(3):
        if m > i and i > 0:
            continue
        for _ in range(2):
            found = {"k": i, "t": 1}
            if m == i:
                found["k"] = 0
            if m > i:
                return found, also
        else:
            put(found["t"] + 1)
    return found, also


def push(xs, value):
    xs.append(value)


@program(1, 0, 9)
def returned_before_a_new_list_is_longer(m):
    xs = [0, 5]
    ys = xs
    for i in tf.range(3):
        xs = [i, i]
    for i in range(3):
        if m == i:
            return xs, ys
        push(xs, xs[0])
    return xs, ys


class Counts:
    def __init__(self):
        self.n = 1
        self.items = [2]


@program(5, 1, 2)
def chosen_before_it_is_longer(m):
    xs, counts = [0, 5], Counts()
    ys = xs
    if m > 2:
        counts.n = 3
    else:
        xs = [1, 7]
    i = 0
    while i < m:
        i += 1
        if m > i + 1:
            break
        push(xs, m + i)
    return xs, ys, counts.n


@program(2, 3)
def copied_where_it_is_returned(m):
    xs, q = [1, 2], deque([1, 2], maxlen=3)
    for i in tf.range(3):
        xs.append(i)
        q.append(i)
    for _ in range(3):
        if m > 2:
            return list(xs), list(q)
    return list(xs), list(q)


@program(-1, 2, 9)
def returned_or_set_by_a_function(m):
    d = {"t": 2}

    def set_d(value):
        d["t"] = value

    if m < 5:
        d = {"t": 3}
        for _ in range(2):
            if d["t"] > m + 1:
                return d
            set_d(m)
    return d


@program(0, 1, 9)
def changed_by_the_iteration_after_it_is_returned(m):
    xs = [2]
    for i in range(3):
        xs[0] = 7
        xs = [i + 1]
        if m == i:
            return xs
    return [9]


@program(0, 1, 9)
def changed_on_an_object_after_it_is_returned(m):
    held = Counts()
    for i in range(3):
        held.items[0] = 7
        held.items = [i + 1]
        if m == i:
            return held.items
    return held.items


@program(0, 1, 9)
def an_object_of_two_names_from_the_second_iteration(m):
    last = found = Counts()
    for i in range(3):
        last.items[0] += 5
        last = Counts()
        if m == i:
            found = last
            break
    found.n += 1
    return found.n, last.n, found.items


@program(0, 1, 9)
def the_last_list_of_a_list(m):
    rows = [[5]]
    for i in range(3):
        rows[-1][0] += 10
        rows.append([i])
        if m == i:
            return rows[-1], rows[0]
    return rows[-1], rows[0]
