"""Programs about None seeds and names that have no value on some paths."""

from __future__ import annotations

import tensorflow as tf
from differential import Python, program


@program([3, 1, 2], [5], unknown=True)
def best_seed(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


@program([3.0, 1.0, 2.0], [5.0], unknown=True)
def minimum_with_is_not_none(xs):
    smallest = None
    for x in xs:
        if smallest is not None and x >= smallest:
            continue
        smallest = x
    return smallest


@program([1, 4, 7], [1, 3], [], unknown=True)
def found_or_default(xs):
    found = None
    for x in xs:
        if x % 2 == 0:
            found = x
            break
    if found is None:
        return -1
    return found


@program((1.0, True), (1.0, False))
def none_or_value(x, flag):
    y = None
    if flag:
        y = x * 2.0
    if y is None:
        y = x
    return y


@program((1.0, True), (1.0, False))
def none_or_value_not_none(x, flag):
    scale = 3.0 if flag else None
    if scale is not None:
        x = x * scale
    return x


@program([1.0, 2.0, 4.0], [1.0], unknown=True)
def differences(xs):
    previous = None
    total = 0.0
    for x in xs:
        if previous is not None:
            total += tf.abs(x - previous)
        previous = x
    return total


@program(3)
def set_in_every_turn(n):
    for i in range(n):
        last = i * 10
    return last


@program(2.0, -2.0)
def set_on_both_sides(x):
    if x > 0:
        y = 1
    else:
        y = 2
    return y


@program(2.0, -2.0)
def undefined_but_unused(x):
    if x > 0:
        temporary = x * 2.0
        x = temporary
    return x


@program((2.0, True), (2.0, False))
def used_under_the_same_condition(x, flag):
    if flag:
        y = x * 2.0
    x = x + 1.0
    if flag:
        x = x + y
    return x


@program((2.0, 1), (-2.0, 1))
def undefined_when_negative(x, n):
    if x > 0:
        y = n
    return y


@program((3,), (0,))
def undefined_after_no_turn(n):
    for i in tf.range(n):
        y = i + 1
    return y


@program([1, 2, 3], unknown=True)
def set_in_the_first_turn(xs):
    first = True
    for x in xs:
        if first:
            total = x
            first = False
        else:
            total = total * 10 + x
    return total


@program((2.0, Python(None)), (2.0, 3.0))
def default_argument_is_none(x, bias):
    if bias is None:
        bias = tf.zeros([])
    if x > bias:
        return x - bias
    return bias - x


@program(5.0)
def returns_nothing(x):
    if x > 0:
        x = x + 1.0


@program((5.0, True))
def explicit_none(x, flag):
    if flag:
        x = x + 1.0
    return None


@program((2.0, True), (2.0, False))
def tuple_with_optional_part(x, flag):
    y, z = x, None
    if flag:
        y = x + 1.0
    if z is None:
        z = y * 2.0
    return y, z


@program([2, 9, 4], [1], unknown=True)
def best_and_where(xs):
    best = None
    where = -1
    at = 0
    for x in xs:
        if best is None or x > best:
            best = x
            where = at
        at += 1
    return best, where


@program([3, 1, 2], unknown=True)
def none_seed_in_while(xs):
    best = None
    i = 0
    while i < len(xs):
        if best is None or xs[i] < best:
            best = xs[i]
        i += 1
    return best


@program((3, Python(None)), (3, 10))
def python_none_stays(n, limit):
    total = 0
    for i in range(n):
        total += i
        if limit is not None:
            total = tf.minimum(total, limit)
    return total


@program((2.0, False), refused="Error: None")
def returned_on_one_side_only(x, flag):
    if flag:
        return x
    return None


@program(([1.0, 2.0], True), ([1.0, 2.0], False))
def state_made_lazily(xs, flag):
    state = None
    if state is None:
        state = tf.zeros([2])
    if flag:
        state = state + xs
    return state


@program([1, 2], [], unknown=True)
def left_undefined_in_empty_loop_but_guarded(xs):
    seen = False
    for x in xs:
        last = x
        seen = True
    return last if seen else -1


@program(8, 3)
def set_before_and_set_again_by_a_loop_in_a_loop(n):
    e = 0
    while n > 0:
        while True:
            e = n - 1
            if e < 5:
                break
            n -= 1
        n = n - e - 1
    return n


@program((7, True), (7, False))
def set_by_a_loop_in_a_branch(n, flag):
    total = 0
    while n > 0:
        if flag:
            while True:
                e = n - 1
                if e < 5:
                    break
                n -= 2
        else:
            e = 3
        total += e
        n -= 1
    return total


def larger(best, x):
    if best is None:
        return x
    return tf.maximum(best, x)


def or_else(x, default=None):
    return x * (2.0 if default is None else default)


class Remembered:
    """An object that has nothing at first."""

    def __init__(self):
        self.value = None

    def known(self):
        return self.value is not None

    def get(self):
        return 0.0 if self.value is None else self.value


@program(([1.0, 3.0, 2.0],))
def none_for_a_function(xs):
    best = None
    for x in xs:
        best = larger(best, x)
    return best


@program((1.0,), (-1.0,))
def none_under_a_condition_for_functions(x):
    scale = None
    if x > 0:
        scale = 5.0
    given = lambda value: 1.0 if value is None else value * 2.0  # noqa: E731
    return larger(scale, x), or_else(x, default=scale), given(scale), [0.0 if v is None else v for v in (scale, None)]


@program((1.0,), (-1.0,))
def none_returned_by_a_function(x):
    def positive(y):
        if y > 0:
            return y
        return None

    found = positive(x)
    return x * 10.0 if found is None else found


@program((1.0,), (-1.0,))
def none_in_an_object_and_a_dict(x):
    kept, cache = Remembered(), {"x": None}
    if x > 0:
        kept.value = x
        cache["x"] = x * 2.0
    if cache.get("x") is None:
        cache["x"] = x * 5.0
    return kept.get() * 2.0 if kept.known() else kept.get() - 1.0, cache["x"]


@program((2.0,), (0.0,), (-1.0,))
def none_as_a_truth_value(x):
    found = None
    if x >= 0:
        found = x
    chosen = found or 7.0
    both = found and found > 1.0
    return chosen, 1 if not found else 2, 1 if both else 2, found if found else -x


@program(*[(a, Python(k)) for a in (0, 2) for k in range(3)])
def names_that_python_binds_in_loops_that_the_graph_leaves(a, k):
    n = 0
    if k:
        w = 1
    while n < 4:
        n += 1
        if n == a:
            w = n
            break
        if k == 2:
            w += n
    for i in tf.range(a):
        w = i
    return w


@program(*[(a, Python(k)) for a in (0, 2) for k in range(3)])
def a_name_that_python_deletes_and_the_graph_binds(a, k):
    x = a
    if k:
        del x
    if a > 1:
        x = 5

    def set_z():
        nonlocal z
        z = a
        if a > 2:
            z = a * 2

    if k < 2:
        z = 3
    if k:
        set_z()
    if a < 1:
        z = a
    return x, z


@program(*[(a, Python(k)) for a in (0, 2) for k in range(3)])
def a_name_without_a_value_is_counted_up(a, k):
    if k == 1:
        s = 0
    if a > 1:
        s += 1
    return s


@program(*[(a, Python(k)) for a in (0, 2, 5) for k in range(3)])
def names_that_operands_bind(a, k):
    if k and (m := a) > 1:
        return m
    if a > 2 and (m := a + 1) > 3 and k < 2:
        return m
    if a > 4 or (m := k):
        m = a
    return m
