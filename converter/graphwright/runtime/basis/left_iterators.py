"""Python iterators of which only the graph knows how many items were taken: whoever asks for the next one is refused.

A loop that a tensor may leave is traced for all items, so the iterator is at its end, whatever the graph does. It
doesn't move iterators.
"""

from __future__ import annotations

import gc
import sys
import types
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from graphwright.libraries import is_library_class, is_own_file, is_tensorflow_file
from graphwright.runtime.basis.tensorflow import tf


@dataclass(frozen=True)
class LeftIterator:
    """An iterator, kept so that no other gets its id, and the user's line that left it."""

    iterator: Any
    place: str


all_left: dict[int, LeftIterator] = {}
"""By their ids. Almost always empty, so callers look at it before they call `refuse_left`."""


def note_left(iterators: Iterable[Any]) -> None:
    """The graph decides how many items these have given, for as long as the graph around all exists."""
    place = _users_place()
    found = [LeftIterator(iterator, place) for iterator in iterators if id(iterator) not in all_left]
    if not found:
        return
    all_left.update((id(one.iterator), one) for one in found)
    graph: Any = tf.compat.v1.get_default_graph()
    while isinstance(getattr(graph, "outer_graph", None), tf.__internal__.FuncGraph):
        graph = graph.outer_graph
    weakref.finalize(graph, _forget, [id(one.iterator) for one in found])


def moved_with(value: Any) -> list[Any]:
    """The iterators that move when the next item of a value is taken: none for what isn't an iterator."""
    return list(iterators_in(value)) if is_iterator(value) else []


def refuse_left(*values: Any) -> None:
    """Raise for a value that is such an iterator, or reads from one."""
    for value in values:
        if is_iterator(value):
            for one in iterators_in(value):
                if id(one) in all_left:
                    raise _refusal(all_left[id(one)].place)


def _refusal(place: str) -> TypeError:
    return TypeError(
        f"a tensor decides at {place} how many items of this iterator are taken, so only the graph knows which one is "
        "next. Put the items in a list and count with an index, or do the rest inside the loop"
    )


def readable(value: Any) -> Any:
    """The value, if it isn't such an iterator: what generated code reads where Python asks no operator."""
    if all_left:
        refuse_left(value)
    return value


def is_iterator(value: Any) -> bool:
    """Whether Python can take the next item of a value."""
    return hasattr(cast("Any", type(value)), "__next__")


def iterators_in(value: Any) -> Iterator[Any]:
    """An iterator and those that it takes its items from, as far as it shows them."""
    waiting, seen = [value], set[int]()
    while waiting and len(seen) < _MOST_PARTS:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if is_iterator(one):
            yield one
            waiting += _parts(one)
        elif isinstance(one, _PASSED):
            waiting += _parts(one)


_MOST_PARTS = 500
_MOST_ITEMS = 50
_METHODS = (types.MethodType, types.MethodWrapperType, types.BuiltinMethodType)
_PASSED = (list, tuple, types.CellType, types.FrameType, types.FunctionType, *_METHODS)
"""What iterators are found in, besides other iterators."""


def _parts(holder: Any) -> list[Any]:
    if isinstance(holder, (list, tuple)):
        return list(cast("list[Any]", holder)[:_MOST_ITEMS])
    if isinstance(holder, types.FunctionType):
        return list(holder.__closure__ or ())
    if isinstance(holder, _METHODS):
        return [holder.__self__, *_attributes(holder.__self__)]
    if is_iterator(holder) and hasattr(holder, "__dict__"):
        return list(vars(holder).values())
    parts = gc.get_referents(holder)
    if isinstance(holder, (types.GeneratorType, types.FrameType)):
        return [part for one in parts if not isinstance(one, types.FunctionType) for part in (one, *_attributes(one))]
    return parts


def _attributes(owner: Any) -> list[Any]:
    """The iterators that an object of the user's holds in its attributes."""
    if is_library_class(cast("Any", type(owner))) or not hasattr(owner, "__dict__"):
        return []
    return [value for value in vars(owner).values() if is_iterator(value)]


def _forget(ids: list[int]) -> None:
    for one in ids:
        all_left.pop(one, None)


def _users_place() -> str:
    """The line of the user's code that runs."""
    frame: types.FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and (is_own_file(frame.f_code.co_filename) or is_tensorflow_file(frame.f_code.co_filename)):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else "a line"
