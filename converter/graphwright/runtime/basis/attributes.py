"""What an object's attributes hold, read as Python stores them: no code of the object's class is asked."""

from __future__ import annotations

import dataclasses
from typing import Any, cast


def held_attributes(value: Any) -> dict[str, Any] | None:
    """Return the attributes that an object holds itself, or None if it has no place for any but its slots."""
    if has_member(cast("type[Any]", type(value)), "graphwright_options"):
        return value.__dict__
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None


def is_data(value: Any) -> bool:
    """Whether it is an object of a dataclass."""
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def attributes_of(data: Any) -> dict[str, Any]:
    """Return the attributes of an object of a dataclass, which may have slots for its fields."""
    fields = {each.name: getattr(data, each.name) for each in dataclasses.fields(data) if hasattr(data, each.name)}
    return {**fields, **(held_attributes(data) or {})}


def is_of(value: Any, *kinds: Any) -> bool:
    """Whether the class of a value is one of these or made from one; unlike `isinstance`, it doesn't ask the value."""
    return issubclass(cast("Any", type(value)), kinds)


def has_member(kind: type, name: str) -> bool:
    """Whether a class has a member, its own or inherited; a metaclass that answers to every name isn't asked."""
    if type(kind) is type:
        return hasattr(kind, name)
    return any(name in base.__dict__ for base in kind.__mro__)
