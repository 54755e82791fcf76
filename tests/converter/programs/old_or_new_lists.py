"""Programs whose lists and dicts are the ones from before, or new ones, and change afterwards under several names."""

from __future__ import annotations

import tensorflow as tf
from differential import program


@program(2.0, -2.0)
def new_in_a_branch(x):
    first = [1.0]
    both = first
    if x > 0:
        both = [5.0]
    both.append(9.0)
    both[0] += x
    return first, both


@program(2.0, -2.0)
def old_or_new_dict(x):
    usual = {"rate": 1.0, "decay": 2.0}
    options = usual if x > 0 else {"rate": 5.0, "decay": 6.0}
    options["rate"] *= 2.0
    return usual, options


@program(2.0, -2.0)
def copied_before_it_changes(x):
    first = [1, 2, 3]
    both = first
    if x > 0:
        both = list(first)
    both.reverse()
    return first, both


def picked(x, values):
    if x > 0:
        return values
    return [value * 2 for value in values]


@program(2.0, -2.0)
def a_helper_gives_the_old_or_a_new_one(x):
    values = [1.0, 2.0]
    result = picked(x, values)
    result[0] = -1.0
    return values, result


@program((2.0, 3.0), (2.0, -3.0), (-2.0, 3.0), (-2.0, -3.0))
def twice_in_a_row(x, y):
    first = [1.0, 2.0]
    both = first
    if x > 0:
        both = [5.0, 6.0]
    if y > 0:
        both = [7.0, 8.0]
    if x + y > 0:
        both[1] = x * y
    both[0] = 9.0
    return first, both


@program(5, 2)
def renewed_in_a_loop(n):
    first = [7, 7]
    both = first
    for k in tf.range(n):
        if k == 3:
            both = [0, 0]
        both[0] += k
    return first, both


@program(5, 2, 0)
def filled_and_begun_again(n):
    first = []
    part = first
    for k in tf.range(n):
        part.append(k)
        if k == 2:
            part = []
    return first, part


class Recorder:
    def __init__(self):
        self.items = [0, 0]
        self.history = self.items

    def step(self, k):
        self.items[0] += k
        if k == 2:
            self.items = [0, 0]


@program(5, 2)
def an_attribute_with_two_names(n):
    recorder = Recorder()
    for k in tf.range(n):
        recorder.step(k)
    return recorder.history, recorder.items


@program(2.0, -2.0)
def an_item_with_a_name(x):
    first = [1.0, 2.0]
    rows = {"a": first, "b": [3.0]}
    if x > 0:
        rows["a"] = [5.0, 6.0]
    rows["a"][0] = x
    return first, rows


@program(2.0, -2.0)
def one_or_none_or_new(x):
    store = [0, 0]
    cache = None
    if x > 0:
        cache = store
    if cache is None:
        cache = [5, 5]
    cache[0] += 1
    return store, cache


@program(2.0, -2.0)
def gradients_of_both(x):
    first = [x, x * 2]
    both = first
    if x > 0:
        both = [x * 3, x * 4]
    both[0] = both[0] * x
    return first[0] + both[0] * both[1]


@program(5)
def nobody_else_has_it(n):
    part, sizes = [], []
    for k in tf.range(n):
        part.append(k)
        if k % 2 == 0:
            sizes.append(len(part))
            part = []
    return part, sizes


@program([1, 2, 3], [2, 2, 2])
def kept_and_begun_again(xs):
    best, part = None, [0, 0]
    for x in xs:
        part[0] += x
        if x == 2:
            best = part
            part = [0, 0]
    return part, best


@program([1, 2, 3, 4, 5])
def kept_and_begun_again_with_a_name(xs):
    part = [0, 0]
    first, best = part, [9, 9]
    for x in xs:
        part[0] += x
        if x == 4:
            best = part
            part = [0, 0]
    first[1] = 5
    return first, part, best


@program(2, 5)
def arrays_in_a_new_dict_before_a_break(n):
    written = tf.constant(0)
    arrays = {"squares": tf.TensorArray(tf.int32, size=3)}
    for i in tf.range(n):
        if written >= 3:
            break
        arrays = {"squares": arrays["squares"].write(written, i * i)}
        written += 1
    return arrays["squares"].stack()


@program(1, 4)
def ragged_rows_in_a_new_list_before_a_break(n):
    rows = [tf.ragged.constant([[1], [2, 3]])]
    for i in tf.range(n):
        if i > 2:
            break
        rows = [rows[0] + i]
    return rows[0].to_tensor()


@program(3, 0, -3)
def returned_in_a_loop_or_made_longer_after_it(x):
    xs = [0, 5]
    if x > 2:
        return xs
    while x < 0:
        x += 1
        if x == -1:
            return xs
    xs.append(7)
    return xs
