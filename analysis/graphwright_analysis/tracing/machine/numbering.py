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


class Mentions:
    """Finds the numbers of some ranges in values and facts; what these share, such as classes, is searched once.

    For values that stay alive meanwhile: what was searched is known by its identity.
    """

    __slots__ = ("_known", "_serials")

    def __init__(self, serials: Container[int]) -> None:
        self._serials, self._known = serials, dict[int, bool]()

    def are_in(self, held: Any) -> bool:
        """True if a value or fact contains a number of one of the ranges."""
        kind: type[Any] = type(held)  # pyright: ignore[reportUnknownVariableType]
        if kind in _PLAIN:
            return False
        if kind is int:
            return is_of(held, self._serials)
        if kind is tuple:
            return any(type(part) not in _PLAIN and self.are_in(part) for part in held)
        known = self._known.get(id(held))
        if known is None:
            parts = [getattr(held, name) for name in compared_fields(kind) or ()]
            known = self._known[id(held)] = any(map(self.are_in, parts))
        return known

    def removed_from(self, held: Any) -> Any:
        """Return the same with 0 for all numbers of the ranges: the objects are gone."""
        if not self.are_in(held):
            return held
        kind: type[Any] = type(held)  # pyright: ignore[reportUnknownVariableType]
        if kind is int:
            return 0
        if kind is tuple:
            return tuple(map(self.removed_from, held))
        return replace(held, **{name: self.removed_from(getattr(held, name)) for name in compared_fields(kind) or ()})


_PLAIN = frozenset(
    {Unknown, Unbound, Constant, Tensor, Variable, Array, Api, DType, StaticShape, str, bool, float, type(None)}
)
