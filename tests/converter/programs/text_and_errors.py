"""Programs about print, f-strings, assert, raise, try and with."""

from __future__ import annotations

import contextlib
import sys

import tensorflow as tf
from differential import Python, program


@program(3)
def print_tensor(n):
    print(n)
    return n


@program(3, 0)
def print_in_a_loop(n):
    for i in range(n):
        print("turn", i)
    return n


@program(4, -4)
def print_in_a_branch(n):
    if n > 0:
        print("positive:", n)
    else:
        print("not positive:", n)
    return n


@program(4)
def print_around(n):
    print("before", n)
    if n > 3:
        while n > 0:
            n = n - 2
            print(n)
    print("after", n)
    return n


@program(([1, 2, 3], 5), unknown=True)
def print_vector(x, n):
    print("x is", x, "and n is", n)
    return x


@program((1, 2))
def print_with_separator(a, b):
    print(a, b, sep="-", end=";\n")
    return a


@program(2.5)
def format_string(x):
    print(f"loss {x:.3f}")
    return x


@program((2.5, 7))
def format_string_of_two(x, n):
    print(f"step {n}: {x:.2f} done")
    return x


@program(3, 0)
def format_string_in_a_loop(n):
    for i in tf.range(n):
        print(f"i={i}")
    return n


@program((2.0, Python("mae")), (-2.0, Python("mae")))
def format_string_under_a_condition(x, name):
    if x > 0:
        print(f"{name} improved to {x:.1f}")
    return x


@program(7)
def percent_format(n):
    print("n = %d" % n)
    return n


@program((7, 2.0))
def str_format(n, x):
    print("{} and {:.1f}".format(n, x))
    return n


@program(12)
def text_as_a_result(n):
    return f"step-{n}"


@program(5, 0)
def assert_holds(x):
    assert x != 0, "Do not pass zero!"
    return 10 // x


@program(5.0, -5.0)
def assert_without_message(x):
    assert x > 0
    return x


@program((5.0, Python(3)), (5.0, Python(0)))
def assert_on_python_value(x, n):
    assert n > 0, "n must be positive"
    return x * n


@program([1, 2, 3], [1, -2, 3], unknown=True)
def assert_in_a_loop(xs):
    total = 0
    for x in xs:
        assert x > 0, "all must be positive"
        total += x
    return total


@program(4.0, -4.0)
def raise_under_a_condition(x):
    if x < 0:
        raise ValueError("x must not be negative")
    return tf.sqrt(x)


@program(1, 2, 3)
def raise_in_else(n):
    if n == 1:
        y = 10
    elif n == 2:
        y = 20
    else:
        raise ValueError("n must be 1 or 2")
    return y


@program([1, 2], [1, 0], unknown=True)
def raise_in_a_loop(xs):
    total = 0
    for x in xs:
        if x == 0:
            raise ZeroDivisionError("zero among the values")
        total += 10 // x
    return total


@program((1.0, Python(True)), (1.0, Python(False)))
def raise_for_python_value(x, valid):
    if not valid:
        raise TypeError("invalid configuration")
    return x


@program((4.0, 2.0), (4.0, 0.0))
def raise_with_formatted_message(a, b):
    if b == 0.0:
        raise ValueError(f"cannot divide {a:.1f} by zero")
    return a / b


@program((4, 10), (40, 10))
def raise_index_error(at, size):
    if at >= size:
        raise IndexError("out of range")
    return at


@program(2.0, -2.0)
def try_finally(x):
    try:
        if x > 0:
            x = x * 2.0
    finally:
        x = x + 1.0
    return x


@program((2.0, Python("a")), (2.0, Python("b")))
def try_except_python_error(x, key):
    table = {"a": 3.0}
    try:
        factor = table[key]
    except KeyError:
        factor = 0.5
    if x > 1.0:
        x = x * factor
    return x


@program(2.0, -2.0)
def try_else(x):
    try:
        y = x + 1.0
    except ValueError:
        y = x
    else:
        if y > 0:
            y = y * 2.0
    return y


@program((2.0, Python("nope")))
def raise_from(x, text):
    try:
        n = int(text)
    except ValueError as error:
        raise RuntimeError("bad setting") from error
    return x * n


@program(2.0, -2.0)
def with_name_scope(x):
    with tf.name_scope("block"):
        if x > 0:
            y = x * 2.0
        else:
            y = x
    return y


@program(3.0, -3.0)
def gradient_inside(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        if x > 0:
            y = x * x
        else:
            y = -x
    return tape.gradient(y, x)


@program(2.0, -2.0)
def own_context_manager(x):
    @contextlib.contextmanager
    def scaled(factor):
        yield factor * 2.0

    with scaled(1.5) as factor:
        if x > 0:
            x = x * factor
    return x


@program(2.0, -2.0)
def return_inside_with(x):
    with contextlib.nullcontext():
        if x > 0:
            return x * 10.0
    return x


@program((1.0, 3), (1.0, 0))
def with_in_a_loop(x, n):
    for _ in range(n):
        with tf.name_scope("turn"):
            if x < 3.0:
                x = x * 2.0
    return x


@program([1.0, 2.0, 3.0], unknown=True)
def loop_in_a_gradient_tape(xs):
    with tf.GradientTape() as tape:
        tape.watch(xs)
        total = 0.0
        for x in xs:
            if x > 1.0:
                total += x * x
    return tape.gradient(total, xs)


@program(5)
def print_python_values_only(n):
    print("building", 3, [1, 2])
    return n + 1


@program((2.0, -1.0), (2.0, 1.0))
def assert_with_computed_message(x, y):
    assert y > 0, "y is not positive but " + "something else"
    return x / y


@program(3.0)
def tf_print_is_left(x):
    tf.print("x:", x)
    return x


@program(2, 3)
def text_that_the_graph_chooses(n):
    name = "odd" if n % 2 == 1 else "even"
    print(f"{name} {name!r} {name!s} [{name:>6}] {[name]}")
    print("%s %r %8s" % (name, name, name), "{:^7}|{}".format(name, (name,)))
    print(name, [name], {"a": name}, (name, n > 2))
    return n


@program(1, 2)
def text_with_quotes_that_the_graph_chooses(n):
    if n > 1:
        word = "it's\n\té"
    else:
        word = 'b"\\'
    print(f"{word!r} {[word, 1]}")
    return n


@program(0, 1, 3)
def state_of_a_loop_as_text(n):
    state = "start"
    for i in range(n):
        if state == "start":
            state = "middle"
        elif i > 1:
            state = "end"
        print(f"{i}: {state}")
    print(f"{state:-<8}")
    return n


@program(3.0)
def text_of_a_tensor_is_written_again(x):
    text = f"<{x}>"
    print(f"{text} {text!r}", [text], text)
    return x


@program(1, 3)
def numbers_that_the_graph_chooses_as_text(n):
    part = 0.1 if n > 2 else 0.25
    count = 1 if n > 2 else 20
    print(f"{part} {part!r} {[part, count]} {count!s}", [part], {count: 1} if n is None else "")
    return n


@program(3, 0)
def text_of_a_counted_number(n):
    k = 0
    for _ in range(n):
        k += 1
    kind = "many" if k > 1 else "few"
    return "n=" + str(k), str(k * 0.5) + "!", str(kind), str(5) + ",".join(map(str, [1, 2])), f"{n}"


@program([1, 2])
def empty_lines(xs):
    for x in xs:
        print("x", x)
        print()
        print(end="|")
    return xs


@program(3, 0)
def written_to_a_stream(n):
    out = sys.stdout.write
    for i in range(n):
        sys.stdout.write(f"turn {i}\n")
        out("and another one\n")
    return n


@program([1.5, 2.0, 3.0], [0.5], unknown=True)
def texts_that_a_text_joins(xs):
    named = {"first": xs[0], "kind": "row"}
    many = []
    for x in xs:
        if x > 1.0:
            many.append(f"<{x}>")
    separator = "; "
    print("-".join(["x", "y"]), ", ".join(named), ", ".join(f"{name}={value}" for name, value in named.items()))
    return ", ".join(f"{x:.1f}" for x in xs), separator.join(many), "".join([str(xs[0] > 1.0)])


@program(3, 12)
def constants_of_texts(n):
    name = tf.constant(f"v{n}")
    return tf.strings.length(name), tf.constant([f"a{n}", "b"]), tf.constant("n" + str(n), shape=[2])


def refuses(x):
    raise ValueError(f"refused: {x.dtype.name}")


class Shape:
    def area(self):
        raise NotImplementedError("area")


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


@program(-1, 3)
def functions_that_only_raise(x):
    def fails(y):
        raise NotImplementedError("never")

    if x < -5:
        x = fails(x)
    if x > 2:
        refuses(x)
    return x


@program(-1, 3)
def function_that_only_raises_among_two(x):
    def fails(y):
        raise NotImplementedError("never")

    def doubles(y):
        return y * 2

    chosen = fails if x > 0 else doubles
    return chosen(x)


@program(-1, 3)
def method_that_only_raises(x):
    if x > 0:
        return Shape().area()
    return Square(x).area()


@program(-1, 3)
def caught_where_it_is_called(x):
    try:
        if x is not None:
            refuses(x)
    except ValueError:
        x = x + 1
    return x
