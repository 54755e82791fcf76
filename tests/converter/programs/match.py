"""Programs about match: value, sequence, mapping, class and or-patterns, and guards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import tensorflow as tf
from differential import Python, program


class Point(NamedTuple):
    x: tf.Tensor
    y: tf.Tensor


@dataclass
class Circle:
    radius: tf.Tensor


@dataclass
class Square:
    side: tf.Tensor


@program(0, 1, 2, 7)
def number_words(n):
    match n:
        case 0:
            return 10
        case 1:
            return 20
        case 2:
            return 30
        case _:
            return -1


@program((Python("add"), 1.0, 2.0), (Python("sub"), 1.0, 2.0), (Python("other"), 1.0, 2.0))
def command(name, a, b):
    match name:
        case "add":
            result = a + b
        case "sub":
            result = a - b
        case _:
            result = a
    return result


@program(1, 3, 6, 9)
def or_patterns(n):
    match n:
        case 1 | 2 | 3:
            kind = 1
        case 4 | 5 | 6:
            kind = 2
        case _:
            kind = 3
    return kind


@program(5.0, -5.0, 0.0)
def guards(x):
    match x:
        case v if v > 0:
            return v
        case v if v < 0:
            return -v
        case _:
            return tf.constant(100.0)


@program(((1.0, 2.0),), ((3.0,),))
def python_sequence(pair):
    match pair:
        case (x, y):
            return x * y
        case (x,):
            return x


@program((Python((1, 2, 3)), 1.0), (Python((1,)), 1.0), (Python(()), 1.0))
def head_and_rest(sizes, x):
    match sizes:
        case [first, *rest]:
            return x * first + len(rest)
        case []:
            return x


@program({"kind": 2.0, "scale": 3.0}, {"kind": 2.0})
def mapping(config):
    match config:
        case {"kind": kind, "scale": scale}:
            return kind * scale
        case {"kind": kind}:
            return kind


@program((Python("circle"), 2.0), (Python("square"), 2.0), (Python("none"), 2.0))
def class_patterns(name, size):
    shape = {"circle": Circle(size), "square": Square(size)}.get(name)
    match shape:
        case Circle(radius=r):
            return 3.0 * r * r
        case Square(side=s):
            return s * s
        case None:
            return tf.zeros([])


@program((Point(0.0, 2.0),), (Point(3.0, 0.0),), (Point(3.0, 4.0),))
def class_with_tensor_values(point):
    match point:
        case Point(x=x, y=y) if x == 0.0:
            return y
        case Point(x=x, y=y) if y == 0.0:
            return x * 10.0
        case Point(x=x, y=y):
            return tf.sqrt(x * x + y * y)


@program((0, 5), (5, 0), (5, 5), (0, 0))
def tuple_of_tensors(a, b):
    match (a, b):
        case (0, 0):
            return 1
        case (0, y):
            return y
        case (x, 0):
            return x * 10
        case (x, y):
            return x * y


@program(0, 1, 2)
def without_default(n):
    y = 100
    match n:
        case 0:
            y = 1
        case 1:
            y = 2
    return y


@program([0, 1, 2, 1], [], unknown=True)
def match_in_a_loop(ops):
    value = 1
    for op in ops:
        match op:
            case 0:
                value += 5
            case 1:
                value *= 2
            case _:
                value -= 1
    return value


@program([3, 0, 5], [3, 9, 5], [1], unknown=True)
def break_from_match(xs):
    total = 0
    for x in xs:
        match x:
            case 0:
                break
            case 9:
                continue
        total += x
    return total


@program((2.0, Python(3)), (2.0, Python("two")), (2.0, Python(None)), (2.0, Python(1.5)))
def builtin_classes(x, how):
    match how:
        case int(times):
            return x * times
        case str():
            return -x
        case None:
            return x
        case float() as factor:
            return x + factor


@program(1, 2, 3)
def dotted_constant(n):
    class Kind:
        ONE = 1
        TWO = 2

    match n:
        case Kind.ONE:
            return 100
        case Kind.TWO:
            return 200
        case other:
            return other


@program((4, True), (4, False), (15, True))
def guard_over_another_name(n, strict):
    match n:
        case 4 if strict:
            return 1
        case k if k > 10:
            return k
        case _:
            return 0


@program((((1.0, 2.0), 3.0),))
def nested_sequence(tree):
    match tree:
        case ((a, b), c):
            return a + b * c
        case _:
            return tf.zeros([])


@program((Python((1, 2)), 3), (Python((1, 0)), -3), (Python([1]), 3))
def a_guard_binds_a_name(pair, x):
    match pair:
        case (a, b) if (total := a * x + b) > 0:
            y = total
        case _:
            y = x
    return y


@program([1, 2, 1])
def true_and_false(xs):
    on, total = False, 0
    for x in xs:
        match on:
            case True:
                total += x
                on = False
            case False:
                on = True
    return total, on


@program([1, 2, 3])
def none_until_a_loop_sets_it(xs):
    last, total = None, 0
    for x in xs:
        match last:
            case None:
                total += 100
            case _:
                total += x
        if x > 1:
            last = x
    return total


@program(("add", 3.0), ("times", 3.0), ("mul", 3.0), ("neg", 3.0), ("neg", -3.0), ("other", 3.0))
def text_tensors(op, x):
    match op:
        case "add":
            y = x + 1.0
        case "mul" | "times":
            y = x * 2.0
        case "neg" if x > 0:
            y = -x
        case None:
            y = x
        case _:
            y = x * 0.0
    return y


@program(("add", 3.0), ("mul", 3.0), ("other", 3.0), (Python("mul"), 3.0), (Python(None), 3.0), (Python(2), 3.0))
def text_that_ends_the_function(op, x):
    match op:
        case "add":
            return x + 1.0
        case "mul":
            return x * 2.0
    return x


@program((["add", "skip", "add"], 3.0), (["add", "stop", "add"], 3.0), (["add", "end"], 3.0), unknown=True)
def text_in_a_loop(ops, x):
    for op in ops:
        match op:
            case "add":
                x += 1.0
            case "skip":
                continue
            case "stop":
                break
            case "end":
                return x * 100.0
        x *= 2.0
    return x


@dataclass
class Event:
    kind: tf.Tensor
    amount: tf.Tensor


@program(("buy", 2.0), ("sell", 2.0), ("hold", 2.0), (Python("sell"), 2.0))
def text_in_attributes(kind, amount):
    match Event(kind, amount):
        case Event(kind="buy", amount=value):
            return value
        case Event("sell", value):
            return -value
        case Event():
            return 0.0 * amount


@program(("a", 2.0), ("b", 2.0), ("c", 2.0), ("d", 2.0), (Python("c"), 2.0))
def text_next_to_numbers(key, x):
    match (key, x):
        case ("a", value):
            return value
        case ("b" | "c", value):
            y = value * 3.0
        case _:
            y = x
    return y


@program(("a", 2.0), ("b", 2.0), ("c", 2.0), (Python("b"), 2.0))
def text_in_mappings(key, x):
    match {"op": key, "x": x}:
        case {"op": "a", "x": value}:
            y = value
        case {"op": "b", **rest}:
            y = rest["x"] * 5.0
        case _:
            y = -x
    return y
