"""Whether the user's code outside of the branch or iteration that is being traced can reach an object.

What that has made itself is reached from its own frames alone. It says nothing of what extensions in C keep.
"""

from __future__ import annotations

import functools
import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, cast

from graphwright.libraries import is_library_module
from graphwright.runtime.basis.context import SIMPLE
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors.tracebacks import is_hidden

BOUNDARIES: set[types.CodeType] = set()
"""The code that traces a branch or iteration, a method of its notes."""

_LIMIT = 100_000
"""How many objects are searched at most."""


def is_outside(wanted: Any, notes: Any) -> bool:
    """Whether a branch or iteration, which has these notes, hasn't made an object: others can reach it."""
    return reaches(_roots(notes), wanted)


def reaches(roots: Iterable[Any], wanted: Any) -> bool:
    """Whether an object is among these or in them: in containers, attributes, closures and defaults."""
    pending, seen = deque(roots), set[int]()
    while pending and len(seen) < _LIMIT:
        value = pending.popleft()
        if value is wanted:
            return True
        if type(value) in SIMPLE or id(value) in seen:
            continue
        seen.add(id(value))
        pending.extend(_within(value))
    return False


def _roots(notes: Any) -> Iterator[Any]:
    """What the user's frames around the construct hold, and the globals of all."""
    outside = False
    frame: types.FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    searched = set[int]()
    while frame is not None:
        outside = outside or (frame.f_code in BOUNDARIES and frame.f_locals["self"] is notes)
        if not is_hidden(frame.f_code.co_filename):
            if outside:
                yield from list(frame.f_locals.values())
            if id(frame.f_globals) not in searched and not is_library_module(frame.f_globals.get("__name__", "")):
                searched.add(id(frame.f_globals))
                yield from list(frame.f_globals.values())
        frame = frame.f_back


def _within(value: Any) -> Iterable[Any]:
    """What an object holds, as far as the user's code has put it there."""
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        return list(cast("Iterable[Any]", value))
    if isinstance(value, dict):
        return list(cast("dict[Any, Any]", value).values())
    if isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if _is_full(cell)]
        return [*cells, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, types.BuiltinMethodType):
        return [] if isinstance(value.__self__, types.ModuleType) else [value.__self__]
    if isinstance(value, functools.partial):
        part = cast("functools.partial[Any]", value)
        return [part.func, *part.args, *part.keywords.values()]
    return _attributes(value)


def _attributes(value: Any) -> Iterable[Any]:
    if tf.is_tensor(value) or isinstance(value, types.ModuleType):
        return []
    kind = cast("type[Any]", type(value))
    owner = cast("type[Any]", value) if isinstance(value, type) else kind
    if is_library_module(owner.__module__ or ""):
        return []
    own = list(getattr(value, "__dict__", {}).values())
    slots = [name for base in kind.__mro__ for name in _slots(base) if hasattr(value, name)]
    return [*own, *(getattr(value, name) for name in slots), *([] if isinstance(value, type) else [kind])]


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _is_full(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is cell.cell_contents
    except ValueError:
        return False
