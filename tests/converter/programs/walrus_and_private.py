"""Programs about walrus assignments, private names, unpacking, del and augmented assignments."""

from __future__ import annotations

import tensorflow as tf
from differential import program


@program(3.0, 20.0)
def walrus_in_a_condition(x):
    if (y := x * 2.0) > 10.0:
        return y
    return y - 1.0


@program(100, 1, 0)
def walrus_in_while(n):
    turns = 0
    while (n := n // 2) > 0:
        turns += 1
    return turns, n


@program((1.0, 2.0), (3.0, 2.0))
def walrus_in_and(a, b):
    if a < b and (c := a * b) > 1.0:
        return c
    return a


@program(3.0, -3.0)
def walrus_in_elif(x):
    if x > 100.0:
        y = x
    elif (half := x / 2.0) > 0:
        y = half
    else:
        y = -half
    return y


@program(4.0)
def walrus_in_call(x):
    total = tf.square(y := x + 1.0)
    return total + y


@program([1, 5, 10], [], unknown=True)
def walrus_in_a_loop_body(xs):
    best = 0
    for x in xs:
        if (score := x * 3 % 7) > best:
            best = score
    return best


@program(5, 0)
def walrus_then_break(n):
    total = 0
    while True:
        if (total := total + 2) > n:
            break
    return total


@program(3.0, -3.0)
def walrus_in_conditional_expression(x):
    y = z if (z := x + 1.0) > 0 else z * z
    return y


class Accumulator:
    def __init__(self, start):
        self.__total = start
        self._turns = 0

    def add(self, x):
        if x > 0:
            self.__total = self.__total + x
            self._turns += 1
        return self.__total

    def result(self):
        return self.__total

    def __hidden(self, x):
        return x * 2.0

    def twice_if_big(self, x):
        if x > 1.0:
            return self.__hidden(x)
        return x


@program((1.0, 2.0), (1.0, -2.0))
def private_attribute(start, x):
    accumulator = Accumulator(start)
    accumulator.add(x)
    return accumulator.add(x)


@program((0.0, [1.0, -1.0, 2.0]), (0.0, []), unknown=True)
def private_attribute_in_a_loop(start, xs):
    accumulator = Accumulator(start)
    for x in xs:
        accumulator.add(x)
    return accumulator.result()


@program(3.0, 0.5)
def private_method(x):
    return Accumulator(x).twice_if_big(x)


@program([1.0, 2.0])
def unpack_tensor(x):
    a, b = x
    return a - b


@program(((1.0, 2.0), 3.0))
def unpack_nested(pair, c):
    (a, b), d = pair, c
    return a * b + d


@program([1, 2, 3, 4])
def unpack_starred(xs):
    first, *middle, last = xs
    return first * last + len(middle)


@program([[1.0, 2.0], [3.0, 4.0]], [[-1.0, 2.0], [3.0, 5.0]])
def unpack_parts(rows):
    (a, b), scale = rows[0], 2.0
    [low, (high, _)] = [rows, rows]
    (p, *q), (r, s) = rows
    if rows[0, 0] > 0.0:
        (a, b), c = rows, 3.0
        a, b = b[0], a[1]
    else:
        (a, b), c = (rows[0, 1], rows[1, 0]), 4.0
    return a + b * c * scale, low + high, p * q[0] - r * s


@program([[1, 2], [3, 4]])
def unpack_in_for(pairs):
    total = 0
    for a, b in pairs:
        total += a * b
    return total


@program((2.0, True), (2.0, False))
def unpack_results_of_a_branch(x, flag):
    a, b = (x, x + 1.0) if flag else (x * 10.0, x)
    return a - b


@program(3.0, -3.0)
def delete_a_name(x):
    y = x * 2.0
    if y > 0:
        z = y
        del y
    else:
        z = -y
        del y
    return z


@program(3)
def delete_in_loop(n):
    total = 0
    for i in range(n):
        temporary = i * i
        total += temporary
        del temporary
    return total


@program(5.0)
def delete_a_key(x):
    table = {"a": x, "b": x * 2.0}
    del table["a"]
    return table


@program((7, 2), (-7, 2))
def every_augmented_assignment(a, b):
    c = a
    c += b
    c -= 1
    c *= b
    c //= 3
    c %= 5
    c **= 2
    if c > 3:
        c |= 8
        c &= 13
        c ^= 1
    return c


@program(2.0, -2.0)
def chained_assignment(x):
    a = b = x
    if a > 0:
        a = b = a + 1.0
    return a, b


@program(3)
def annotated_assignment(n):
    total: int = 0
    i: tf.Tensor
    for i in tf.range(n):
        total += i
    return total
