"""The items that a loop of Python's takes after a tensor may have left it: all of them, whatever the graph does.

What their iterator changes elsewhere happens while they are taken, so it is refused. It builds no graph.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import operator
import sys
import types
from collections.abc import Generator, Iterator
from typing import Any, cast

from graphwright.libraries import is_library_class
from graphwright.runtime.basis.attributes import held_attributes
from graphwright.runtime.basis.dead_names import references_by_dead_names
from graphwright.runtime.basis.left_iterators import (
    LeavableLoop,
    any_left,
    iterator_of,
    moved_with,
    note_left,
    refuse_left,
    walks,
)
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.staged_loops import Step
from graphwright.runtime.state.noting import births_noted, notes_around
from graphwright.runtime.state.places import StatePlace
from graphwright.runtime.state.watched_changes import advancing


class RemainingItems:
    """What is left of an iterator that a loop goes over."""

    def __init__(self, items: Iterator[Any]) -> None:
        iterator = iterator_of(items)
        self._moved, self._given, self._taken = moved_with(iterator), _ending(iterator), 0
        self._iterator, self._walk, self._is_traced = iterator, LeavableLoop(), False
        self._accepted = set[Any]()
        self._may_change_something = any(map(_may_run_users_code, self._moved))

    def next(self, live: tuple[Any, ...]) -> tuple[Any] | None:
        """The next item, None after the last one."""
        del live
        self._walk.reads, self._is_traced = 0, False
        if any_left:
            refuse_left(self._iterator)
        take = functools.partial(_next, self._given)
        if not self._may_change_something:
            item = take()
        else:
            item, notes = advancing(take)
            self._refuse_changes(notes, item)
        self._taken += item is not None
        return item

    @contextlib.contextmanager
    def walking(self) -> Generator[None, None, None]:
        """The loop goes on: what its body reads of the iterators moves as far as it does eagerly."""
        before = {id(one): walks.get(id(one)) for one in self._moved}
        walks.update(dict.fromkeys(before, self._walk))
        try:
            yield
        finally:
            for one, walk in before.items():
                walks.pop(one)
                walks.update({} if walk is None else {one: walk})

    def note_left(self) -> None:
        """Only the graph knows which item is next, unless there was none when it began to decide."""
        if self._taken:
            note_left(self._moved)

    def guarding(self, turn: Step) -> Step:
        """The turn, which can't be traced twice if it takes items itself."""

        def guarded(*arguments: Any) -> Any:
            if self._is_traced and self._walk.reads:
                raise TypeError(
                    "this iteration takes items of the loop's iterator, and what it changes is only known when it has "
                    "been traced, which moved the iterator. Put the items in a list and count with an index"
                )
            self._is_traced, self._walk.graph = True, tf.compat.v1.get_default_graph()
            return turn(*arguments)

        return guarded

    def _refuse_changes(self, notes: list[tuple[StatePlace, Any]], item: tuple[Any] | None) -> None:
        """Raise for what the iterator changes, unless nobody else has that."""
        held = [part for iterator in self._moved for part in _held_by(iterator)]
        all_notes = [*notes, *notes_around()]
        for place, _ in notes:
            if place.key in self._accepted or (item is not None and item[0] is place.owner):
                continue
            # The iterators hold it, the list of them, the list above, and the notes; `getrefcount` does as well.
            known = 1 + births_noted(place.owner) + sum(one is place.owner for one in (*self._moved, *held, *held))
            for noted, before in all_notes:
                known += (noted.owner is place.owner) + _count(place.owner, before)
            if sys.getrefcount(place.owner) > known:
                known += references_by_dead_names(place.owner)
            if sys.getrefcount(place.owner) > known:
                raise TypeError(
                    f"the iterator of this loop changes '{place.text}', and a tensor decides how many items the loop "
                    f"takes, so only the graph knows how often. Change '{place.text}' in the loop, or put the items in "
                    "a list first"
                )
            self._accepted.add(place.key)


def _count(owner: Any, values: Any) -> int:
    """How often lists and tuples hold an object."""
    if values is owner or not isinstance(values, (list, tuple, DEQUE)):
        return int(values is owner)
    return sum(_count(owner, part) for part in cast("list[Any]", values))


def _held_by(iterator: Any) -> list[Any]:
    held = held_attributes(iterator)
    if held is not None:
        return list(held.values())
    parts = gc.get_referents(iterator)
    # A generator holds its variables itself; before Python 3.11, its frame does.
    return [*parts, *(one for part in parts if isinstance(part, types.FrameType) for one in gc.get_referents(part))]


def _may_run_users_code(iterator: Any) -> bool:
    kind = cast("Any", type(iterator))
    return not is_library_class(kind) or hasattr(kind, "gi_frame") or any(map(callable, gc.get_referents(iterator)))


def _next(items: Iterator[Any]) -> tuple[Any] | None:
    for item in items:
        return (item,)
    return None


def _ending(items: Iterator[Any]) -> Iterator[Any]:
    """Items that Python gives to a loop which the graph leaves: each is a turn of the graph, so they have to end."""
    if operator.length_hint(items, -1) >= 0:
        yield from items
        return
    for count, item in enumerate(items):
        if count == _MOST_TURNS:
            raise TypeError(
                f"only the graph knows when this loop is left, and Python gives it more than {_MOST_TURNS} items, each "
                "of which becomes a part of the graph: count with `while`, or go over a tensor or a range"
            )
        yield item


_MOST_TURNS = 1000
