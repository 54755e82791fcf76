"""The numbers by which what a run makes is told apart: objects, frames, constructs, calls.

A start, and a call in it that is remembered, gives its numbers out of a range of its own, so that what is made again
is made under the same number.
"""

from __future__ import annotations

import itertools
from collections.abc import Container
from dataclasses import replace
from typing import Any

from graphwright_analysis.values.domain import (
    Api,
    Array,
    Constant,
    DType,
    StaticShape,
    Tensor,
    Unbound,
    Unknown,
    Variable,
)
from graphwright_analysis.values.sameness import compared_fields

RANGE = 24
"""How many bits of a number tell apart what is made in one range; those before them tell the range."""

_serials = itertools.count(1)


def next_serial() -> int:
    """The serial of a range of its own."""
    return next(_serials)


def first_of(serial: int) -> int:
    """What comes before the first number of a range."""
    return serial << RANGE


def serial_of(number: int) -> int:
    """The serial of the range that a number is of."""
    return number >> RANGE


def is_older(number: int, than: int) -> bool:
    """Whether what has this number was there before what was made under the other one in the range in use."""
    return number >> RANGE != than >> RANGE or number < than


def is_of(number: int, serials: Container[int]) -> bool:
    return number >> RANGE in serials


def mentions(held: Any, serials: Container[int]) -> bool:
    """Whether a value or fact has a number of one of these ranges in it."""
    kind: type[Any] = type(held)  # pyright: ignore[reportUnknownVariableType]
    if kind in _PLAIN:
        return False
    if kind is int:
        return is_of(held, serials)
    for part in held if kind is tuple else [getattr(held, name) for name in compared_fields(kind) or ()]:
        if type(part) not in _PLAIN and mentions(part, serials):
            return True
    return False


def nameless(held: Any, serials: Container[int]) -> Any:
    """The same with 0 for all numbers of these ranges: what had them is gone."""
    kind: type[Any] = type(held)  # pyright: ignore[reportUnknownVariableType]
    if kind in _PLAIN or not mentions(held, serials):
        return held
    if kind is int:
        return 0
    if kind is tuple:
        return tuple(nameless(part, serials) for part in held)
    return replace(held, **{name: nameless(getattr(held, name), serials) for name in compared_fields(kind) or ()})


_PLAIN = frozenset(
    {Unknown, Unbound, Constant, Tensor, Variable, Array, Api, DType, StaticShape, str, bool, float, type(None)}
)
