"""`copy.copy`, `copy.deepcopy` and `dataclasses.replace`: what they make is new, and tensors need no copy.

What classes of the user's say of their own copies is Python's.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.attributes import is_record, users_class
from graphwright.runtime.basis.births import note_new
from graphwright.runtime.basis.context import SIMPLE, is_symbolic
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.state.containers import parts


def copying(function: Any) -> Callable[..., Any] | None:
    """What is called instead of a function that copies; None for another function."""
    return _COPYING.get(function)


def _copied(value: Any) -> Any:
    value = current(value)
    return _new(value.copy() if isinstance(value, GraphList) else copy.copy(value), value)


def _replaced(value: Any, /, **changes: Any) -> Any:
    return _new(dataclasses.replace(value, **changes), value)


def _deeply_copied(value: Any, memo: dict[int, Any] | None = None) -> Any:
    known: dict[int, Any] = {} if memo is None else memo
    if users_class(type(value)) is not type(value):
        value = copy.copy(value)  # Which attributes the graph chooses is said once.
    _know_tensors(value, known, set())
    made = copy.deepcopy(value, known)
    note_new(*known.values())
    return made


def _know_tensors(value: Any, known: dict[int, Any], seen: set[int]) -> None:
    """Note the copies of tensors, which are the tensors, and of lists of the graph."""
    if type(value) in SIMPLE or id(value) in seen:
        return
    seen.add(id(value))
    now = current(value)
    if isinstance(now, GraphList):
        known.setdefault(id(value), now.copy())
    elif is_symbolic(value):
        known.setdefault(id(value), value)
    elif isinstance(value, (list, tuple, dict, DEQUE)) or is_record(value):
        for _, part in parts(value):
            _know_tensors(part, known, seen)


def _new(made: Any, value: Any) -> Any:
    if made is not value:
        note_new(made)
    return made


_COPYING: dict[Any, Callable[..., Any]] = {
    copy.copy: _copied,
    copy.deepcopy: _deeply_copied,
    dataclasses.replace: _replaced,
}
