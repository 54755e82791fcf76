"""What Python evaluates once, in order: positions of items that change, links of comparisons, names of builtins."""

from __future__ import annotations

import tensorflow as tf
from differential import program


class Counted:
    def __init__(self):
        self.found = {}

    def __getitem__(self, key):
        return self.found.get(key, 0)

    def __setitem__(self, key, value):
        self.found[key] = value


@program(1, -1)
def positions_with_effects(x):
    values, left = [0, 0, 0, 0], [0, 1, 2]
    values[left.pop()] += x
    values[left.pop()] -= 5
    rows, last = [[1, 2], [3, 4]], [1, 0]
    rows[last.pop()][last.pop()] += x
    numbers = iter([0, 1, 2])
    for _ in range(3):
        values[next(numbers)] *= 2
    return values, len(left), rows


@program(1)
def positions_that_bind_names(x):
    values, i = [0] * 4, 0
    values[(i := i + 1)] += x
    values[(i := i + 1)] += x
    return values, i


@program(2)
def positions_of_objects_with_effects(x):
    counted, left = Counted(), [1, 2]
    counted[left.pop()] += x
    counted[left.pop()] -= x
    return counted[1], counted[2], len(left)


@program([3, 4], [5], unknown=True)
def names_read_where_they_are_bound(v):
    total, last = 0, -1
    for item in v:
        total += (half := item // 2) + half % 3
        last = item if (rest := item % 4) > 2 or rest < 1 else last
    return total, last


@program(2)
def names_bound_in_comparisons(x):
    if 0 < 1 < (n := 5):
        x = x + n
    while 0 <= n < (most := 8):
        n += 1
    return x, n, most


@program(2)
def rest_of_a_mapping(x):
    match {"a": x}:
        case {**rest} if rest:
            return rest["a"]
    return x * 2


@program(2)
def assertion_that_binds_a_name(x):
    assert x > 1, (n := 5)
    return x


def sum(values):
    return 42


@program(2)
def name_of_a_builtin_of_the_module(x):
    return sum([x, x]) + tf.constant(1)
