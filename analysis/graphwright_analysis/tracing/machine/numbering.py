"""The numbers that identify what a run creates: objects, frames, constructs, calls.

A start, or a cached call in it, uses its own range of numbers, so it creates the same under the same numbers when it
runs again.
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
"""The number of bits that identify an object within a range; the bits before them identify the range."""

_serials = itertools.count(1)


def next_serial() -> int:
    """Return the serial of a new range."""
    return next(_serials)


def first_of(serial: int) -> int:
    """The number before the first one of a range."""
    return serial << RANGE


def serial_of(number: int) -> int:
    """The serial of the range that a number belongs to."""
    return number >> RANGE


def is_older(number: int, than: int) -> bool:
    """True if this number was assigned before the other one; numbers of other ranges were."""
    return number >> RANGE != than >> RANGE or number < than


def is_of(number: int, serials: Container[int]) -> bool:
    return number >> RANGE in serials


def mentions(held: Any, serials: Container[int]) -> bool:
    """True if a value or fact contains a number of one of these ranges."""
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
    """Return the same with 0 for all numbers of these ranges: the objects are gone."""
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
