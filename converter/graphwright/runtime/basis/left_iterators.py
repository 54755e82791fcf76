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
from graphwright.runtime.basis.attributes import attributes_of, has_member, held_attributes, is_of
from graphwright.runtime.basis.graph_notes import GraphNotes, outermost_graph
from graphwright.runtime.basis.tensorflow import tf


@dataclass(frozen=True)
class LeftIterator:
    """An iterator, kept so that no other gets its id, and why nobody can read it again."""

    iterator: Any
    reason: str
    graph: Any
    """A weak reference to the graph of the branch that has read it and may go on, if there is one."""

    def is_readable(self) -> bool:
        """Whether the branch that has read it is being traced, or something in it."""
        branch, graph = self.graph and self.graph(), tf.compat.v1.get_default_graph()
        while branch is not None and graph is not None and graph is not branch:
            graph = getattr(graph, "outer_graph", None)
        return branch is not None and graph is not None


@dataclass
class LeavableLoop:
    """A loop that takes items where the graph decides whether it does, and how often its body reads the iterator."""

    graph: Any = None
    """That of the iteration that is being traced."""
    reads: int = 0


walks: dict[int, LeavableLoop] = {}
"""The loops that go over iterators in this way, by the ids of the iterators."""
all_left: weakref.WeakValueDictionary[int, LeftIterator] = weakref.WeakValueDictionary()
"""By their ids. Almost always empty, so callers look at it before they call `refuse_left`."""
any_left: dict[int, Any] = cast("Any", all_left).data
"""The same, to see quickly whether there are any."""
_left_in = GraphNotes()
"""The same of each graph around all, which keeps them."""


def note_left(iterators: Iterable[Any], branch: Any = None, by_tensor: bool = True) -> None:
    """The graph decides how many items these have given, for as long as the graph around all exists.

    If a branch has read them, its graph may go on. Without `by_tensor`, they are generators that call the body of a
    loop, which Python has left: they can't go on.
    """
    reason, within = (_TENSOR if by_tensor else _PYTHON).format(_users_place()), branch and weakref.ref(branch)
    found = [LeftIterator(iterator, reason, within) for iterator in iterators if id(iterator) not in all_left]
    if not found:
        return
    all_left.update((id(one.iterator), one) for one in found)
    _left_in.setdefault(outermost_graph(), []).extend(found)


def moved_with(value: Any) -> list[Any]:
    """The iterators that move when the next item of a value is taken: none for what isn't an iterator."""
    return list(iterators_in(value)) if is_iterator(value) else []


def refuse_left(*values: Any, begins: bool = True) -> None:
    """Raise for a value that is such an iterator, or reads from one; `begins` says that `iter` is called first."""
    for value in values:
        if is_iterator(value):
            for one in iterators_in(value):
                if id(one) in all_left and not all_left[id(one)].is_readable() and not (begins and restarts(one)):
                    raise TypeError(f"{all_left[id(one)].reason}. {_INSTEAD}")


_TENSOR = "a tensor decides at {} how many items of this iterator are taken, so only the graph knows which one is next"
_PYTHON = "{} leaves this generator before its end, and a generator that tensors may decide in can't go on after that"
_INSTEAD = "Put the items in a list and count with an index, or do the rest inside the loop"


def readable(value: Any) -> Any:
    """The value, if it isn't such an iterator."""
    if any_left:
        refuse_left(value)
    return value


def asking_at_end(iterator: Any) -> Any:
    """What a loop goes over that isn't alone in having an iterator: its body may leave it, and then it has no end."""
    kind = cast("Any", type(iterator))
    asks = _asks.get(kind)
    if asks is None:
        is_ours = kind.__module__.startswith(("tensorflow", "graphwright"))
        asks = _asks[kind] = is_library_class(kind) and not is_ours
    return _asking_at_end(iterator) if asks and not tf.executing_eagerly() else iterator


_asks: weakref.WeakKeyDictionary[type[Any], bool] = weakref.WeakKeyDictionary()
"""Whether a loop over an iterator of a class asks at its end: the methods of the user's classes ask by themselves."""


def iterator_of(items: Any) -> Any:
    """The iterator that a loop goes over."""
    if getattr(items, "gi_code", None) is _asking_at_end.__code__ and items.gi_frame:
        return items.gi_frame.f_locals["iterator"]
    return items


def _asking_at_end(iterator: Iterator[Any]) -> Iterator[Any]:
    for item in iterator:  # noqa: UP028  It must not be closed with the loop.
        yield item
    if any_left:
        refuse_left(iterator)


def restarts(iterator: Any) -> bool:
    """Whether an iterator of the user's may begin again when `iter` is called: it does more than give itself."""
    method = getattr(cast("Any", type(iterator)), "__iter__", None)
    return isinstance(method, types.FunctionType) and bool(method.__code__.co_names)


def is_iterator(value: Any) -> bool:
    """Whether Python can take the next item of a value."""
    return has_member(cast("Any", type(value)), "__next__")


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
        elif is_of(one, *_PASSED):
            waiting += _parts(one)


_MOST_PARTS = 500
_MOST_ITEMS = 50
_METHODS = (types.MethodType, types.MethodWrapperType, types.BuiltinMethodType)
_PASSED = (list, tuple, types.CellType, types.FrameType, types.FunctionType, *_METHODS)
"""What iterators are found in, besides other iterators."""


def _parts(holder: Any) -> list[Any]:
    if isinstance(holder, list):
        return cast("list[Any]", holder)[:_MOST_ITEMS]
    if isinstance(holder, tuple):
        # In that of a `zip_longest`, there is nothing where an iterator has ended: to slice it crashes Python.
        return gc.get_referents(holder)[-_MOST_ITEMS:]
    if isinstance(holder, types.FunctionType):
        return list(holder.__closure__ or ())
    if isinstance(holder, _METHODS):
        return [holder.__self__, *held_iterators(holder.__self__)]
    held = held_attributes(holder)
    if is_iterator(holder) and held is not None:
        return list(held.values())
    parts = gc.get_referents(holder)
    if isinstance(holder, (types.GeneratorType, types.FrameType)):
        return [
            part for one in parts if not isinstance(one, types.FunctionType) for part in (one, *held_iterators(one))
        ]
    return parts


def held_iterators(owner: Any) -> list[Any]:
    """The iterators that an object of the user's holds in its attributes."""
    if is_library_class(cast("Any", type(owner))):
        return []
    return [value for value in attributes_of(owner).values() if is_iterator(value)]


def _users_place() -> str:
    """The line of the user's code that runs."""
    frame: types.FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and (is_own_file(frame.f_code.co_filename) or is_tensorflow_file(frame.f_code.co_filename)):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else "a line"
