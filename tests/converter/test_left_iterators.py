"""Iterators that a loop, `any`, `in` or `next` leaves where a tensor decides: reading them again is refused."""

from __future__ import annotations

import itertools

import graphwright as gw
import pytest
import tensorflow as tf


def numbers():
    yield from (1, 2, 3, 4)


def skip_to(items, limit):
    for item in items:
        if item >= limit:
            return item
    return -1


class Reader:
    def __init__(self):
        self.items = numbers()

    def read(self, limit):
        for item in self.items:
            if item >= limit:
                return item
        return -1

    def rest(self):
        return [item for item in self.items]


def with_next(limit):
    items = iter([1, 2, 3, 4])
    found = skip_to(items, limit)
    return found, next(items)


def with_a_second_loop(limit):
    items = numbers()
    found, total = skip_to(items, limit), 0
    for item in items:
        total += item
    return found, total


def with_pairs(limit):
    items = iter([1, 2, 3, 4])
    for one, other in zip(items, items, strict=True):
        if one * other >= limit:
            break
    return list(items)


def with_a_wrapper_from_before(limit):
    items = iter([1, 2, 3, 4])
    letters = zip("ab", items, strict=False)
    found = skip_to(items, limit)
    return found, [item for _, item in letters]


def with_an_iterator_inside_a_generator(limit):
    items = iter([1, 2, 3, 4])
    found = skip_to((item * item for item in items), limit)
    return found, sum(items)


def with_unpacking(limit):
    items = iter([1, 2, 3, 4])
    found = skip_to(items, limit)
    first, *others = items
    return found, first, others


def with_an_attribute(limit):
    reader = Reader()
    return reader.read(limit), reader.read(limit)


def with_a_method(limit):
    reader = Reader()
    return reader.read(limit), reader.rest()


def with_any(limit):
    items = iter([1, 2, 3, 4])
    return any(item >= limit for item in items), list(items)


def with_all(limit):
    items = iter([1, 2, 3, 4])
    return all(item < limit for item in items), sum(items)


def with_in(limit):
    items = iter([1, 2, 3, 4])
    return limit in items, list(items)


def with_a_first_element(limit):
    items = iter([1, 2, 3, 4])
    return next(item for item in items if item >= limit), list(items)


REFUSED = [
    with_next,
    with_a_second_loop,
    with_pairs,
    with_a_wrapper_from_before,
    with_an_iterator_inside_a_generator,
    with_unpacking,
    with_an_attribute,
    with_a_method,
    with_any,
    with_all,
    with_in,
    with_a_first_element,
]


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_is_read_again_is_refused(program):
    program(2)
    with pytest.raises(TypeError, match=r"a tensor decides at .*test_left_iterators.py:\d+ how many items"):
        gw.function(program)(tf.constant(2))


def read_once(limit):
    items = iter([1, 2, 3, 4])
    return skip_to(items, limit), skip_to(numbers(), limit)


def read_again_where_nothing_runs(limit, again=False):
    items = iter([1, 2, 3, 4])
    found = skip_to(items, limit)
    return next(items) if again else found


def left_by_python(limit):
    items = iter([1, 2, 3, 4])
    for item in items:
        if item == 2:
            break
    return next(items) + limit, list(items)


def left_at_its_last_item(limit):
    items = iter([2])
    return skip_to(items, limit), next(items, -1)


def another_iterator(limit):
    found = skip_to(itertools.count(), limit) if limit is None else skip_to(iter([1, 2, 3]), limit)
    others = iter([found, 1])
    return next(others), list(others)


ACCEPTED = [read_once, read_again_where_nothing_runs, left_by_python, left_at_its_last_item, another_iterator]


@pytest.mark.parametrize("program", ACCEPTED, ids=lambda program: program.__name__)
def test_what_is_not_read_again_is_as_before(program):
    result = gw.function(program)(tf.constant(2))
    assert tf.nest.map_structure(int, result) == tf.nest.map_structure(int, program(tf.constant(2)))
