"""What `a.n += x` and `d[k] += x` read and set: a property or a special method may run, and what is there may change.

The place is evaluated once, and in Python's order. What a place is to a branch or loop isn't decided here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.births import SOMETHING, changing, read_from
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
        return _held(attribute_of(_owner_of(self), name), _text_of(self))

    def __setattr__(self, name: str, value: Any) -> None:
        set_attribute(value, _owner_of(self), name)

    def __getitem__(self, key: Any) -> Any:
        item = operated("getitem", _owner_of(self), key)
        return item if isinstance(key, slice) else _held(item, _text_of(self))

    def __setitem__(self, key: Any, value: Any) -> None:
        set_special_item(value, _owner_of(self), key)


class _UpdatedValue:
    """What is there, for the operator of the assignment."""

    __slots__ = ("value",)
    value: Any


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
    held = _UpdatedValue()
    held.value = changing(value, text)
    return held


def _operator(sign: str) -> Callable[[_UpdatedValue, Any], Any]:
    return lambda held, value: changed_of(sign, held.value, value)


for _sign, _name in IN_PLACE.items():
    setattr(_UpdatedValue, f"__{_name}__", _operator(_sign))
