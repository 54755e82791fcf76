"""Lists and dicts that are elements of a list of the graph, which holds copies: their changes in place are refused."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from contextvars import ContextVar
from typing import Any, cast

_items: ContextVar[dict[int, tuple[Any, Any]] | None] = ContextVar("graphwright_held_items", default=None)
"""What was put into lists of the graph or taken from them, with what it held then."""


@contextlib.contextmanager
def watching_items() -> Generator[None, None, None]:
    """Raise the error for elements that change in what is traced here."""
    noted: dict[int, tuple[Any, Any]] = {}
    token = _items.set(noted)
    try:
        yield
    finally:
        _items.reset(token)
    for item, before in noted.values():
        if not _is_same(_held(item), before):
            raise TypeError(
                "a list or dict changes in place that is an element of a list which the graph makes longer, and which "
                "holds a copy of it: change it before it is appended, or assign it again (`rows[i] = row`)"
            )


def note_item(value: Any) -> Any:
    """The value is an element of a list of the graph as it is now."""
    noted = _items.get()
    if noted is not None and _is_changeable(value):
        noted[id(value)] = value, _held(value)
        for part in _held(value).values():
            note_item(part)
    return value


def forget_item(value: Any) -> Any:
    """The value is an element no more."""
    noted = _items.get()
    if noted is not None and _is_changeable(value):
        noted.pop(id(value), None)
        for part in _held(value).values():
            forget_item(part)
    return value


def _is_changeable(value: Any) -> bool:
    return type(value) in (list, dict)


def _held(item: Any) -> dict[Any, Any]:
    if type(item) is dict:
        return dict(cast("dict[Any, Any]", item))
    return dict(enumerate(cast("list[Any]", item)))


def _is_same(now: dict[Any, Any], before: dict[Any, Any]) -> bool:
    return now.keys() == before.keys() and all(now[key] is before[key] for key in now)
