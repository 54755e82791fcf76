"""Lists, dicts and dataclasses that are elements of a list of the graph: it holds copies, so changes are refused."""

from __future__ import annotations

import contextlib
from collections.abc import Container, Generator, Iterable
from contextvars import ContextVar
from typing import Any, cast

from graphwright.runtime.basis.attributes import attributes_of, is_data
from graphwright.runtime.basis.plain_containers import DICTS, PLAIN

_items: ContextVar[dict[int, tuple[Any, Any]] | None] = ContextVar("graphwright_held_items", default=None)
"""What was put into lists of the graph or taken from them, with what it held then."""


_added: ContextVar[dict[int, Any] | None] = ContextVar("graphwright_added_items", default=None)
"""What was put into lists of the graph, in constructs inside as well."""
_REFUSAL = (
    "a list, dict or object changes in place that is an element of a list which the graph makes longer, and which "
    "holds a copy of it: change it before it is appended, or assign it again (`rows[i] = row`)"
)
_REFUSAL_AGAIN = (
    "a list, dict or object changes in each iteration and is an element of a list which the graph makes longer: all "
    "its elements would be the same one, and the graph's list holds copies. Append a copy "
    "(`rows.append(copy.copy(row))`), or begin a new one in each iteration"
)


@contextlib.contextmanager
def watching_items() -> Generator[dict[int, Any], None, None]:
    """Raise the error for elements that change in what is traced here; gives those that are added."""
    noted: dict[int, tuple[Any, Any]] = {}
    added: dict[int, Any] = {}
    around = _added.get()
    tokens = _items.set(noted), _added.set(added)
    try:
        yield added
    except (IndexError, KeyError) as error:
        if _has_changed(noted):
            error.args = (_REFUSAL,)  # What was added to a copy isn't there.
        raise
    finally:
        _items.reset(tokens[0])
        _added.reset(tokens[1])
    if _has_changed(noted):
        raise TypeError(_REFUSAL)
    if around is not None:
        around.update(added)


def _has_changed(noted: dict[int, tuple[Any, Any]]) -> bool:
    return not all(_is_same(_held(item), before) for item, before in noted.values())


def note_added() -> None:
    """What a branch or iteration has put into lists is an element from here on, as it is now."""
    noted = _items.get() or {}
    for value in [one for key, one in (_added.get() or {}).items() if key not in noted]:
        note_item(value)


def refuse_changing(kept: Iterable[Any], added: Container[int]) -> None:
    """Raise the error for lists and dicts that an iteration changes and adds to a list, and the next one has again."""
    if any(id(one) in added for one in kept):
        raise TypeError(_REFUSAL_AGAIN)


def note_item(value: Any) -> Any:
    """The value is an element of a list of the graph as it is now."""
    noted = _items.get()
    if noted is not None and _is_changeable(value):
        noted[id(value)] = value, _held(value)
        cast("dict[int, Any]", _added.get())[id(value)] = value
        for part in _held(value).values():
            note_item(part)
    return value


def note_objects(values: Iterable[Any]) -> None:
    """The objects among these are elements of a list of the graph as they are now."""
    for value in filter(is_data, values):
        note_item(value)


def forget_item(value: Any) -> Any:
    """The value is an element no more."""
    noted = _items.get()
    if noted is not None and _is_changeable(value):
        noted.pop(id(value), None)
        for part in _held(value).values():
            forget_item(part)
    return value


def _is_changeable(value: Any) -> bool:
    return type(value) in PLAIN or is_data(value)


def _held(item: Any) -> dict[Any, Any]:
    if type(item) in DICTS:
        return dict(cast("dict[Any, Any]", item))
    return attributes_of(item) if is_data(item) else dict(enumerate(cast("list[Any]", item)))


def _is_same(now: dict[Any, Any], before: dict[Any, Any]) -> bool:
    return now.keys() == before.keys() and all(now[key] is before[key] for key in now)
