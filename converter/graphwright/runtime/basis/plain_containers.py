"""Python's lists, deques and dicts, which a graph carries part by part. What is in them isn't known here."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member, is_of

# Untyped, so that what was checked against it is still anything.
DEQUE: Any = deque
DEFAULT: Any = defaultdict
_DICT: Any = dict
LISTS: frozenset[Any] = frozenset((list, deque))
DICTS: frozenset[Any] = frozenset((dict, Counter, defaultdict))
PLAIN: frozenset[Any] = LISTS | DICTS
"""The classes themselves: one that is derived from them may do anything."""


@dataclass(frozen=True)
class ListForm:
    """Which kind of list it is; of a deque, also how many elements it keeps."""

    kind: Any = list
    most: int | None = None


def form_of(value: Any) -> ListForm | None:
    """The form of a list, a deque, or a list of the graph; None for anything else."""
    if is_of(value, DEQUE):
        return ListForm(DEQUE, value.maxlen)
    if is_of(value, list):
        return ListForm()
    return value.graphwright_form if has_member(cast("Any", type(value)), "graphwright_form") else None


def empty_like(container: Any) -> Any:
    """A list, deque or dict of the same kind, without anything in it."""
    if isinstance(container, DEQUE):
        return DEQUE(maxlen=container.maxlen)
    if type(container) is DEFAULT:
        return DEFAULT(container.default_factory)
    return type(container)()


def refill(container: Any, values: Any) -> None:
    """Let a list or deque hold these values. A deque that holds as many may be gone over meanwhile."""
    if not isinstance(container, DEQUE):
        container[:] = values
    elif len(container) == len(values):
        for place, value in enumerate(values):
            container[place] = value
    else:
        container.clear()
        container.extend(values)


def is_deque(value: Any) -> bool:
    """Whether it is a deque, or one of the graph."""
    form = form_of(value)
    return form is not None and form.kind is DEQUE


def is_never_chosen(value: Any) -> bool:
    """Whether a graph carries it, but can't choose between it and another one."""
    return is_deque(value) or type(value) in _DERIVED_DICTS


def update_dict(container: Any, values: Any) -> None:
    """Set keys of a dict; a Counter's own `update` adds to what is there."""
    kind = _DICT if type(container) in DICTS else cast("Any", type(container))
    kind.update(container, values)


_DERIVED_DICTS = DICTS - {dict}
