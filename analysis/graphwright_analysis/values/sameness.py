"""Whether two values are the same in all that is known of them, also in what `==` leaves out.

`==` asks what a join or a cache key asks; what is remembered of a trace has to hold in every detail.
"""

from __future__ import annotations

import functools
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from .domain import Class, Constant, Value
from .lineage import lineage

T = TypeVar("T")


def same(left: Any, right: Any) -> bool:
    """Whether nothing tells the two apart; dicts are told apart by their order as well."""
    if left is right:
        return True
    kind: type[Any] = type(left)  # pyright: ignore[reportUnknownVariableType]
    if kind is not type(right):
        return False
    if kind is tuple or kind is list:
        return len(left) == len(right) and all(map(same, left, right))
    if kind is dict:
        if len(left) != len(right):
            return False
        return all(
            key == other and (held is now or same(held, now))
            for (key, held), (other, now) in zip(left.items(), right.items(), strict=True)
        )
    if isinstance(left, Constant) and left != right:
        return False
    if isinstance(left, Class):
        # What a class inherits counts however far up it stands; each class on the way is looked at once.
        ways = [*lineage(left)], [*lineage(right)]
        return ways[0] == ways[1] and all(map(_have_same_bases, *ways))
    names = compared_fields(kind)
    if names is None:
        return left == right
    return all(same(getattr(left, name), getattr(right, name)) for name in names)


def _have_same_bases(left: Value, right: Value) -> bool:
    """Whether two values are no classes, or have the same bases; those that are classes are looked at by themselves."""
    if not isinstance(left, Class) or not isinstance(right, Class):
        return True
    pairs = zip(left.bases, right.bases, strict=False)
    same_bases = (one == other if isinstance(one, Class) else same(one, other) for one, other in pairs)
    return len(left.bases) == len(right.bases) and all(same_bases)


def kept(before: T | None, now: T) -> T:
    """The one that was there before, if it is the same."""
    return before if before is not None and same(before, now) else now


@functools.cache
def compared_fields(kind: type[Any]) -> tuple[str, ...] | None:
    """What instances are told apart by, in every detail; None where `==` decides."""
    if not is_dataclass(kind) or kind.__eq__ is object.__eq__:
        return None
    # Of a constant, `==` has compared the value, as finely as it needs.
    return tuple(f.name for f in fields(kind) if not (issubclass(kind, Constant) and f.name == "value"))
