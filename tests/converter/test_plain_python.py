"""Plain Python does the same converted as it does as written, when it is called eagerly."""

from __future__ import annotations

import contextlib

import plain_python
import pytest
import tensorflow as tf

program = plain_python.Programs()


# --- Empty tuples


@program(0, 1)
def an_empty_tuple_at_an_early_return(n):
    if n == 0:
        return ()
    return (n,)


@program(0, 1)
def an_empty_tuple_from_a_lambda(n):
    make = lambda: ()  # noqa: E731
    return (lambda: ())() if n else make()


@program([1, 2], [1], [])
def an_empty_tuple_out_of_a_loop(xs):
    for x in xs:
        if x == 2:
            return ()
    return None


@program(5, 2)
def an_empty_tuple_out_of_a_loop_with_else(n):
    while n:
        n -= 1
        if n == 3:
            return ()
    else:
        return []


@program(1, ((2, 3),), "x")
def an_empty_tuple_out_of_a_match(value):
    match value:
        case 1:
            return ()
        case (a, _):
            return (a,)
        case _:
            return None


@program(1, 0, None)
def an_empty_tuple_out_of_a_try(value):
    try:
        if value:
            return ()
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        if value is None:
            return ()
        return {}


@program(0, 1, 2)
def an_empty_tuple_out_of_a_function_inside(n):
    def inner(m):
        if m > 1:
            return ()
        if m > 0:
            return None
        return ([],)

    return inner(n)


@program(0, 1)
def an_empty_tuple_as_a_value(n):
    if n:
        value = ()
    else:
        value = None
    return value


def test_an_empty_tuple_out_of_a_graph():
    @tf.function(autograph=False)
    def traced():
        return plain_python.gw.to_graph(an_empty_tuple_at_an_early_return)(0)

    assert traced() == ()


# --- Causes of exceptions


@program(0, 1)
def a_cause_under_an_if(x):
    cause = KeyError("k")
    if x:
        raise ValueError("v") from cause
    return 1


@program(0, 1)
def no_cause_in_a_handler(x):
    try:
        return {}[x]
    except KeyError as error:
        if x:
            raise ValueError("v") from None
        raise ValueError("w") from error


@program([0, 2], [3], [4], [1])
def causes_in_a_loop(xs):
    for x in xs:
        try:
            if x > 1:
                1 / 0  # noqa: B018
        except ZeroDivisionError as error:
            if x == 2:
                raise RuntimeError(x) from error
            if x == 3:
                raise RuntimeError(x) from None
            raise


@program(1, 2, 3, 4)
def causes_in_a_match_and_a_with(value):
    with contextlib.suppress(KeyError):
        match value:
            case 1:
                raise ValueError from KeyError
            case 2:
                raise ValueError(1) from TypeError("x")
            case 3:
                raise KeyError from None
    return "end"


@program(0, 2)
def a_cause_that_is_computed(value):
    while True:
        if value:
            raise (ValueError if value > 1 else TypeError)("a") from (None if value > 1 else KeyError("b"))
        value += 1


@program(0, 2)
def a_cause_over_several_lines(value):
    if value:
        raise ValueError(
            "x",
        ) from (
            KeyError("y")
        )  # fmt: skip
    raise TypeError from None


# --- `global` and `nonlocal` after an early return


@program(1, 0, 0)
def global_after_an_early_return(x):
    if x:
        return 1
    global counted
    counted += 3
    return counted


@program(0, 5, 2)
def global_after_a_loop(x):
    for i in range(x):
        if i == 2:
            return i
    global counted
    counted += x
    if x > 1:
        counted += 10
    return counted


@program(1, 0)
def nonlocal_after_an_early_return(x):
    n = 0

    def inner(y):
        if y:
            return 1
        nonlocal n
        n += 5
        return n

    return inner(x), n, inner(0), n


@program(0, 1)
def global_after_a_try_as_a_loop_variable(x):
    try:
        if x:
            return 1
    finally:
        pass
    global counted
    for counted in range(4):
        if counted == x + 2:
            break
    return counted


@program(0, 1, 3)
def global_in_a_loop(x):
    while x:
        x -= 1
        if x == 1:
            return 1
        global counted
        counted = x
    return counted


counted = 0


@pytest.mark.parametrize("program", program.all, ids=str)
def test_converted_code_does_the_same_eagerly(program: plain_python.Program) -> None:
    found = plain_python.differences(program)
    assert not found, "\n".join(found)
