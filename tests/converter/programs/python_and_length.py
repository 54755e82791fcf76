"""Programs about what stays Python, and about unusual length: chains of `elif`, guards, `else` of loops, defaults."""

from __future__ import annotations

import tensorflow as tf
from differential import Python, program


@program(3, -1)
def else_of_a_python_loop(x):
    total = 0
    for k in (1, 2, 3):
        total += k * x
    else:
        total += 100
    return total


@program(3, -1)
def else_of_a_python_while(x):
    k = [0]
    while len(k) < 4:
        k.append(1)
    else:
        x = x * 2
    return x + len(k)


@program((3, Python(True)), (3, Python(False)), (3, Python(None)))
def tests_that_no_tensor_can_be(x, flag):
    if flag is None:
        x = x + 1
    elif not isinstance(flag, bool):
        x = x + 2
    elif callable(flag) or (flag is not None and hasattr(flag, "real")):
        x = x + 4
    while False:
        x = x + 8
    return x


@program([1.0, 2.0, 3.0], [-1.0, 0.5, 5.0])
def loops_over_what_no_tensor_can_be(xs):
    total = 0.0
    for k in range(2):
        total += xs[k]
    for letter in "ab":
        total += float(ord(letter))
    for k, (a, b) in enumerate(zip((1.0, 2.0), [3.0, 4.0])):
        total += a * b * k
    for key, value in {"a": 1.0, "b": 2.0}.items():
        total += value * xs[0] if key == "a" else value
    for each in reversed((1.0, 2.0)):
        total = total * 0.5 + each
    return total


@program((1, 10), (5, 3))
def loops_over_numbers_that_may_be_tensors(a, b):
    total = 0
    for k in range(a, b, 2):
        total += k
    for k in range(b):
        if k == a:
            break
        total += 1
    return total


@program([1, 2, 3], [5, 6, 7])
def a_generator_that_reads_names_around_it(xs):
    scale, limit = 3, 4
    inner = [sum(k * scale for k in (1, 2) if k < limit)]
    made = (k + scale for k in (1, 2, 3) if k != limit)
    scale = 7
    return tf.reduce_sum(xs) + inner[0] + sum(made)


@program(2, -3)
def lambdas_with_defaults(x):
    add = lambda a, b=2, *, c=x, d=10: a + b * c - d
    keyword = lambda *, first=1, second: first - second
    if x > 0:
        y = add(1, c=3)
    else:
        y = add(1, 5)
    return y + keyword(second=x)


@program(2, -3)
def functions_with_defaults(x):
    # What stands before the first statement.
    def add(a, /, b=x, *rest, c=x + 1, d, **named):
        if a > 0:
            return a + b * c - d + len(rest) + len(named)
        return c

    # And before the last.
    return add(x, d=1) + add(x, 2, 3, 4, d=5, e=6)


@program(0, 1, 17, 38, 39, 99)
def a_long_chain(x):
    y = 7
    if x == 0:
        y = 1
    elif x == 1:
        y = y + 1
    elif x == 2:
        y = y + 4
    elif x == 3:
        y = y + 9
    elif x == 4:
        y = y + 16
    elif x == 5:
        y = y + 25
    elif x == 6:
        y = y + 36
    elif x == 7:
        y = y + 49
    elif x == 8:
        y = y + 64
    elif x == 9:
        y = y + 81
    elif x == 10:
        y = y + 100
    elif x == 11:
        y = y + 121
    elif x == 12:
        y = y + 144
    elif x == 13:
        y = y + 169
    elif x == 14:
        y = y + 196
    elif x == 15:
        y = y + 225
    elif x == 16:
        y = y + 256
    elif x == 17:
        y = y + 289
    elif x == 18:
        y = y + 324
    elif x == 19:
        y = y + 361
    elif x == 20:
        y = y + 400
    elif x == 21:
        y = y + 441
    elif x == 22:
        y = y + 484
    elif x == 23:
        y = y + 529
    elif x == 24:
        y = y + 576
    elif x == 25:
        y = y + 625
    elif x == 26:
        y = y + 676
    elif x == 27:
        y = y + 729
    elif x == 28:
        y = y + 784
    elif x == 29:
        y = y + 841
    elif x == 30:
        y = y + 900
    elif x == 31:
        y = y + 961
    elif x == 32:
        y = y + 1024
    elif x == 33:
        y = y + 1089
    elif x == 34:
        y = y + 1156
    elif x == 35:
        y = y + 1225
    elif x == 36:
        y = y + 1296
    elif x == 37:
        y = y + 1369
    elif x == 38:
        y = y + 1444
    elif x == 39:
        y = y + 1521
    else:
        y = -1
    return y


@program(0, 3, 24, 99)
def many_guards(x):
    if x == 0:
        return 0
    if x == 1:
        return 3
    if x == 2:
        return 6
    if x == 3:
        return 9
    if x == 4:
        return 12
    if x == 5:
        return 15
    if x == 6:
        return 18
    if x == 7:
        return 21
    if x == 8:
        return 24
    if x == 9:
        return 27
    if x == 10:
        return 30
    if x == 11:
        return 33
    if x == 12:
        return 36
    if x == 13:
        return 39
    if x == 14:
        return 42
    if x == 15:
        return 45
    if x == 16:
        return 48
    if x == 17:
        return 51
    if x == 18:
        return 54
    if x == 19:
        return 57
    if x == 20:
        return 60
    if x == 21:
        return 63
    if x == 22:
        return 66
    if x == 23:
        return 69
    if x == 24:
        return 72
    return -1


@program(0, 3, 23, 99)
def a_long_chain_that_leaves(x):
    y = 7
    if x == 0:
        return 1
    elif x == 1:
        return y + 1
    elif x == 2:
        return y + 4
    elif x == 3:
        return y + 9
    elif x == 4:
        return y + 16
    elif x == 5:
        return y + 25
    elif x == 6:
        return y + 36
    elif x == 7:
        return y + 49
    elif x == 8:
        return y + 64
    elif x == 9:
        return y + 81
    elif x == 10:
        return y + 100
    elif x == 11:
        return y + 121
    elif x == 12:
        return y + 144
    elif x == 13:
        return y + 169
    elif x == 14:
        return y + 196
    elif x == 15:
        return y + 225
    elif x == 16:
        return y + 256
    elif x == 17:
        return y + 289
    elif x == 18:
        return y + 324
    elif x == 19:
        return y + 361
    elif x == 20:
        return y + 400
    elif x == 21:
        return y + 441
    elif x == 22:
        return y + 484
    elif x == 23:
        return y + 529
    y = y * 2
    return y


@program(0, 3, 17, 40)
def a_long_chain_in_a_loop(x):
    y = 0
    for i in range(3):
        if x == i:
            continue
        elif x == 1 + i:
            y += 1
        elif x == 2 + i:
            y += 2
        elif x == 3 + i:
            y += 3
        elif x == 4 + i:
            y += 4
        elif x == 5 + i:
            y += 5
        elif x == 6 + i:
            y += 6
        elif x == 7 + i:
            y += 7
        elif x == 8 + i:
            y += 8
        elif x == 9 + i:
            y += 9
        elif x == 10 + i:
            y += 10
        elif x == 11 + i:
            y += 11
        elif x == 12 + i:
            y += 12
        elif x == 13 + i:
            y += 13
        elif x == 14 + i:
            y += 14
        elif x == 15 + i:
            y += 15
        elif x == 16 + i:
            y += 16
        elif x == 17 + i:
            y += 17
        elif x == 18 + i:
            y += 18
        elif x == 19 + i:
            y += 19
        else:
            break
        y = y * 2
    return y


@program([1.0, -2.0, 3.0], [1.0, 2.0])
def return_in_a_loop_inside_with(xs):
    y = 1.0
    with tf.name_scope("inner"):
        for x in xs:
            if x < 0.0:
                return x
        y = 5.0
    return y


@program([1.0, -2.0, 3.0], [1.0, 2.0])
def return_in_a_loop_inside_try(xs):
    total = 0.0
    try:
        for x in xs:
            if x < 0.0:
                return x + total
            total += x
    finally:
        total = total * 2.0
    return total


@program([1.0, -2.0, 3.0], [1.0, 2.0])
def return_in_a_loop_of_a_loop(xs):
    for scale in (1.0, 10.0):
        for x in xs:
            if x * scale < -5.0:
                return x
    return scale
