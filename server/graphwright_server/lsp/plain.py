"""The protocol's objects as plain data for JSON: what cattrs makes of them, at a fraction of the time.

What comes in is left to cattrs.
"""

from __future__ import annotations

import enum
import functools
from typing import Any

import attrs
from lsprotocol import types

_ATOMS = frozenset({str, int, float, bool, type(None)})


def plain(value: Any) -> Any:
    """The same in dicts, lists, texts and numbers; what is none of the protocol's objects stays as it is."""
    kind: type[Any] = value.__class__
    if kind in _ATOMS:
        return value
    if kind is list or kind is tuple:
        return [plain(item) for item in value]
    if kind is dict:
        return {plain(key): plain(item) for key, item in value.items()}
    fields = _fields(kind)
    if fields is None:
        return value.value if isinstance(value, enum.Enum) else value
    found: dict[str, Any] = {}
    for name, written, default, always in fields:
        item = getattr(value, name)
        if always or item != default:
            found[written] = item if item.__class__ in _ATOMS else plain(item)
    return found


@functools.cache
def _fields(kind: type[Any]) -> tuple[tuple[str, str, Any, bool], ...] | None:
    """Of a class of the protocol: each attribute, what it is called in JSON, its default, and whether that is sent."""
    if not attrs.has(kind):
        return None
    return tuple(
        (field.name, _camel_case(field.name), field.default, _is_always_sent(kind, field))
        for field in attrs.fields(kind)
    )


def _is_always_sent(kind: type[Any], field: attrs.Attribute[Any]) -> bool:
    return field.default is attrs.NOTHING or types.is_special_property(kind, field.name)


def _camel_case(name: str) -> str:
    first, *others = name.removesuffix("_").split("_")
    return first + "".join(part.title() for part in others)
