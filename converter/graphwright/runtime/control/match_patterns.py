"""What the structure of a value is, as `match` asks it. Values themselves are compared elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast


def is_sequence(value: Any, length: int, or_more: bool = False) -> bool:
    """Whether a value is what a sequence pattern takes, of this length."""
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes, bytearray)):
        return False
    actual = len(cast("Sequence[Any]", value))
    return actual >= length if or_more else actual == length


def is_mapping(value: Any, keys: tuple[Any, ...]) -> bool:
    """Whether a value is a mapping that has these keys."""
    return isinstance(value, Mapping) and all(key in value for key in keys)


def rest_of(value: Mapping[Any, Any], keys: tuple[Any, ...]) -> dict[Any, Any]:
    """What a mapping holds besides some keys."""
    return {key: item for key, item in value.items() if key not in keys}


def has_position(value: Any, number: int) -> bool:
    """Whether an object has an attribute for the position in a class pattern."""
    names: tuple[str, ...] = getattr(cast(Any, type(value)), "__match_args__", ())
    return number < len(names) and hasattr(value, names[number])


def at_position(value: Any, number: int) -> Any:
    """The attribute for a position in a class pattern."""
    return getattr(value, cast(Any, type(value)).__match_args__[number])
