"""`type`, `isinstance` and `match` on what is a number, a flag, a text or a list eagerly, and may be None."""

import functools

import graphwright as gw
import pytest
import tensorflow as tf


def typed(limit):
    n, value, found = 0, 8.0, 0
    classes = {int: 1, float: 10}
    while n < limit:
        n += 1
        value /= 2.0
        found += classes[type(n)] + classes[type(value)]
        found += 100 if type(n) is int and type(value) == float and type(n) in (int, str) else 1000  # noqa: E721
    return found, type(n).__name__, type(n)(2.5), list(map(type, [n])) == [int]


def asked_by_attribute(limit):
    n, value, big, rows = 0, 8.0, False, []
    found = 0
    while n < limit:
        n += 1
        value /= 2.0
        big = n > 2
        rows.append(n)
        found += 1 if n.__class__ is int and value.__class__ is float and big.__class__ is bool else 1000
        found += 10 if rows.__class__ is list and limit.__class__ is not int else 1000
    return found, n.__class__.__name__, big.__class__(0), Exception().__class__ is Exception


def matched(limit):
    n, value, found = 0, 8.0, 0
    while n < limit:
        n += 1
        value /= 2.0
        match n:
            case float() | str():
                found += 1000
            case int(same) if same > 1:
                found += 1
            case int():
                found += 10
        match (n, value, [n]):
            case (int(), float(part), [int()]):
                found += part
            case _:
                found += 1000
    return found


def grown(limit):
    names, found = [], 0
    while len(names) < limit:
        names.append(len(names) + 1)
    match names:
        case []:
            found = 1
        case [only]:
            found = 10 * only
        case [first, *_, last]:
            found = 100 * first + last
    match names:
        case [_, second, *rest]:
            found += second + len(rest)
        case list():
            found += 1000
    return found, type(names) is list, isinstance(names, list)


def perhaps(limit):
    best, pair = None, None
    for n in range(limit):
        if n > 1:
            best, pair = n, (n, 2)
    found = 1 if isinstance(best, int) and best > 2 else 2
    match pair:
        case (first, second):
            found += 10 * first + second
        case None:
            found += 1000
    if not isinstance(pair, tuple):
        found += 10000
    return found


def flags(limit):
    n = 0
    while n < limit:
        n += 1
    is_big, is_other = n > 2, not limit > 2
    is_there, is_any = limit in [1, 4], any(limit > each for each in (2, 3))
    known = [isinstance(flag, bool) for flag in (is_big, is_other, is_there, is_any)]
    return known == [True] * 4, sum([is_big, is_other]), is_other is True, sum(n > k for k in (1, 2, 3))


@functools.singledispatch
def described(value):
    return 0


@described.register
def _(value: int):
    return 1


@described.register
def _(value: list):
    return 2


def dispatched(limit):
    n, seen = 0, []
    while n < limit:
        n += 1
        seen.append(n)
    return described(n), described(seen), described(limit)


def values(result):
    return tf.nest.map_structure(lambda part: part.numpy() if tf.is_tensor(part) else part, result)


def as_texts(result):
    return tf.nest.map_structure(lambda part: part.decode() if isinstance(part, bytes) else part, values(result))


@pytest.mark.parametrize("function", [typed, asked_by_attribute, matched, grown, perhaps, flags, dispatched])
@pytest.mark.parametrize("limit", [0, 1, 2, 4])
def test_a_value_of_the_graph_has_the_class_of_what_it_is_eagerly(function, limit: int) -> None:
    assert as_texts(gw.function(function)(tf.constant(limit))) == as_texts(function(tf.constant(limit)))


def test_a_class_that_only_the_graph_knows_is_refused() -> None:
    def typed_perhaps(limit):
        best = None
        for n in range(limit):
            best = n
        return type(best) is int

    def is_number(value):
        return 1 if isinstance(value, int) else 2

    def asked_elsewhere(limit):
        best = None
        for n in range(limit):
            best = n
        return is_number(best)

    for function in (typed_perhaps, asked_elsewhere):
        with pytest.raises(TypeError, match="the class of 'best' is only known when the graph runs"):
            gw.function(function)(tf.constant(2))


def test_type_makes_a_class_with_more_arguments() -> None:
    @gw.function
    def scaled(x):
        made = type("Made", (), {"factor": 3})
        return x * made.factor

    assert scaled(tf.constant(2)).numpy() == 6
