"""Programs about what is evaluated when, and how often: and, or, not, chains, walrus, conditional expressions."""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from differential import Python, built, program


@program(([1, 2, 3], 3), ([], 0), ([1, -2], 2), unknown=True)
def guarded_subscript(xs, n):
    if n > 0 and xs[n - 1] > 0:
        return xs[n - 1]
    return tf.constant(0)


@program(([1, 2, 3], 0), ([4], 1))
def or_guards_subscript(xs, n):
    ok = n >= tf.size(xs) or xs[n] > 0
    return ok


@program((Python(None), 3), (Python(5), 3), (Python(0), 3))
def or_gives_the_default(given, x):
    value = given or 7
    return x + value


@program((Python([]), 3), (Python([5]), 3))
def and_gives_the_last(given, x):
    value = given and given[0]
    return x, value


@built(3, 12, -1)
def middle_is_evaluated_once():
    calls = []

    def f(x):
        return 0 < note(x) < 10

    def note(x):
        calls.append(1)
        return x + 1

    return f, lambda: list(calls)


@program((1, 5, 9), (5, 1, 9), (1, 9, 5), (9, 5, 1))
def chain_of_four(a, b, c):
    return 0 < a < b + 1 < c * 2 != 7


@program(5, 0, -4)
def conditional_in_argument(x):
    return tf.maximum(x if x > 0 else -x, 2 if x == 0 else 1)


@program(([10, 20, 30], 1), ([10, 20, 30], 7))
def conditional_in_subscript(xs, i):
    return xs[i if i < 3 else 0] + xs[0 if i > 1 else 1 : 2][0]


@program(4, -4)
def conditional_in_default(x):
    def scaled(y, by=2 if x > 0 else 3, *, plus=1 if x > 0 else 0):
        return y * by + plus

    return scaled(x) + scaled(x, 1)


@program(4, -4, 0)
def conditional_chain(x):
    return "pos" if x > 0 else "neg" if x < 0 else "zero"


@program((True, False), (False, True), (False, False), (True, True))
def logic_table(a, b):
    return not a and b, not (a or b), a and b or not b, (a if b else not a)


@program(3, 0)
def not_of_a_number(x):
    if not x > 0:
        return not (x == 0) and x != 5
    return x > 2


@program(4, -4)
def walrus_in_an_elif(x):
    if (y := x * 2) > 100:
        return y
    elif (z := y + 1) > 0:
        return z
    return y - z


@program(4, -4)
def walrus_in_or(x):
    if x > 100 or (y := x + 1) > 0:
        x = x + 1
    else:
        x = x - y
    return x


@program([1, 2, 3], [4])
def walrus_in_a_comprehension(xs):
    found = [y for x in xs.numpy() if (y := x * 2) > 2] if tf.executing_eagerly() else None
    values = [(last := k) + 1 for k in range(3)]
    return tf.reduce_sum(xs) + last + len(values)


@program(4, -4)
def walrus_in_a_conditional(x):
    z = (y := x + 1) if x > 0 else (y := x - 1)
    return y * 10 + z


@program(4, -4)
def walrus_in_arguments(x):
    total = tf.add(a := x * 2, b := a + 1)
    return total, a, b


@program(4, 11)
def walrus_in_while(x):
    n = 0
    while (x := x - 3) > 0 and (m := x % 5) != 1:
        n += m
    return n, x


@program(4, 0)
def walrus_tuple_and_subscript(x):
    pair = (p := x, q := x + 1)
    return pair[(i := 1)] + p * q + i


@program((3, Python((1, 2, 3))), (7, Python((1, 2, 3))))
def membership_in_argument(x, known):
    return tf.where(x in known, 1, 0), (x not in known), 5 if x in known else 6


@program(Python(None), Python(3))
def none_everywhere(x):
    a = x is None
    b = 1 if x is not None else 2
    c = [x is None, x is not None]
    d = x is None or x > 2
    while x is None:
        x = 9
    return a, b, c, d, x


@program(3, -3)
def lambda_of_conditionals(x):
    f = lambda y, z=x if x > 0 else 1: y + z if y > z else z - y  # noqa: E731, E701
    return f(x), f(x + 1, 2), (lambda *a, **k: a[0] if a[0] > 0 else k["d"])(x, d=5)


@program(3, -3)
def ternary_of_tuples_and_calls(x):
    a, b = (x, 1) if x > 0 else (2, x)
    c = abs(x) if x < 0 else max(x, 1)
    (d, e), *f = ((a, b), c, x) if x > 2 else ((b, a), x, c)
    return a, b, c, d, e, f[0], f[1]


@program(3, -3)
def unary_and_powers(x):
    y = -x if x > 0 else abs(x)
    return -((x if x > 0 else 1) ** 2), ~x, not y, -(-y), (x > 0) == (y < 0), x**2 if not x < 0 else 2**3


@program(3, -3)
def comparison_in_comparison(x):
    return (x > 0) == (x > 1), (1 < x < 5) == True, (x == 3) != (not x)  # noqa: E712


@program((3, 4), (4, 3), (3, 3))
def and_or_in_while(a, b):
    n = 0
    while a > 0 and (b > 0 or n < 2) and not (n > 10):
        a, b, n = a - 1, b - 2, n + 1
    return a, b, n


@program(3, -3)
def starred_arguments(x):
    args = (x, x + 1) if x > 0 else (x - 1, x)
    options = {"name": "sum"}
    return tf.add(*args, **options), max(*args), [*args, 1][2], {**options, "x": 1}["x"]


@program([1.5, -2.0, 3.0], [-1.0])
def elements_of_a_wider_array(xs):
    sums = np.zeros(4)
    for i, x in enumerate(xs):
        if x > 0:
            sums[i] = x
        else:
            sums[i] += i
    return sums * 2


@program(([10, 20, 30], 1), ([10, 20, 30], 3))
def places_from_behind(xs, n):
    sizes, known = [4, 5, 6], {"sizes": [7, 8, 9]}
    sizes[-n] = 1
    sizes[~n + 1] += 2
    del known["sizes"][-n]
    return sizes, sizes[-n], known["sizes"][-1], (1, 2, 3)[-n], xs[-n]
