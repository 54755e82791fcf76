"""What `a.n += x` and `d[k] += x` read and set: a property or a special method may run, and what is there may change.

The place is evaluated once, and in Python's order. What a place is to a branch or loop isn't decided here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

from graphwright.runtime.basis.births import SOMETHING, changing, read_from
from graphwright.runtime.basis.context import SIMPLE
from graphwright.runtime.functions.special_methods import (
    attribute_of,
    changed_of,
    operated,
    set_attribute,
    set_special_item,
)
from graphwright.runtime.lists.subscripts import IN_PLACE


class _UpdatedPlace:
    """An object in whose place an augmented assignment reads and sets an attribute or item."""

    __slots__ = ("owner", "text")

    def __getattribute__(self, name: str) -> Any:
        owner = _owner_of(self)
        if _is_plainly_set(owner, name) and type(value := owner.__dict__.get(name)) in SIMPLE:
            return _UpdatedValue(value)
        return _held(attribute_of(owner, name), _text_of(self))

    def __setattr__(self, name: str, value: Any) -> None:
        owner = _owner_of(self)
        if _is_plainly_set(owner, name):
            owner.__dict__[name] = value
        else:
            set_attribute(value, owner, name)

    def __getitem__(self, key: Any) -> Any:
        owner = _owner_of(self)
        if type(owner) in _TABLES and type(key) in SIMPLE and type(value := owner[key]) in SIMPLE:
            return _UpdatedValue(value)
        item = operated("getitem", owner, key)
        return item if isinstance(key, slice) else _held(item, _text_of(self))

    def __setitem__(self, key: Any, value: Any) -> None:
        owner = _owner_of(self)
        if type(owner) in _TABLES:
            owner[key] = value
        else:
            set_special_item(value, owner, key)


class _UpdatedValue:
    """What is there, for the operator of the assignment."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


_TABLES = frozenset({dict, list})


def _is_plainly_set(owner: Any, name: str) -> bool:
    """Whether an attribute is in the object's own dict, whatever is read or set: most are, and this is quick."""
    kind = cast("Any", type(owner))
    if kind.__getattribute__ is not object.__getattribute__ or kind.__setattr__ is not object.__setattr__:
        return False
    return name in getattr(owner, "__dict__", ()) and type(getattr(kind, name, None)) in SIMPLE


_slots: Any = vars(_UpdatedPlace)
_owner_of, _text_of = _slots["owner"].__get__, _slots["text"].__get__


def updated(owner: Any, text: str = SOMETHING) -> Any:
    """What stands for an object whose attribute an augmented assignment sets; `text` is how the user writes that."""
    place = object.__new__(_UpdatedPlace)
    _slots["owner"].__set__(place, owner)
    _slots["text"].__set__(place, text)
    return place


def updated_item(container: Any, text: str = SOMETHING) -> Any:
    """The same for an item."""
    return updated(read_from(container), text)


def _held(value: Any, text: str) -> _UpdatedValue:
    return _UpdatedValue(changing(value, text))


def _operator(sign: str, name: str) -> Callable[[_UpdatedValue, Any], Any]:
    python: Callable[[Any, Any], Any] = getattr(operator, name)

    def changed_by(held: _UpdatedValue, value: Any) -> Any:
        before = held.value
        is_python = type(before) in SIMPLE and type(value) in SIMPLE
        return python(before, value) if is_python else changed_of(sign, before, value)

    return changed_by


for _sign, _name in IN_PLACE.items():
    setattr(_UpdatedValue, f"__{_name}__", _operator(_sign, _name))
