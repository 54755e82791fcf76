"""What a part of a run looks up, sees and changes, recorded so that it doesn't need to run again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.tracing.facts import Fact, ListChanged
from graphwright_analysis.tracing.facts.decisions import Decisions
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import Value
from graphwright_analysis.values.joining import join

from . import numbering
from .context import Sites
from .state import Cell, Content, Reads
from .surroundings import Past, TraceKey


@immutable
class EscapedFunction:
    """A function that may be called later: by `tf.function`, or by code that isn't analyzed."""

    frame: Any
    value: Value
    in_graph: bool = False


@dataclass(slots=True, eq=False)
class Recording:
    """What a part of the run looked up, saw and changed: a start, or a cached call in it."""

    serial: int
    """The prefix of the numbers of what it creates; when it runs again, it creates the same under the same numbers."""
    subject: Any = None
    reads: Reads = field(default_factory=Reads)
    facts: dict[Fact, Sites] = field(default_factory=lambda: {})
    """The recorded facts, each with the calls that led to it first."""
    values: dict[gast.AST, Value] = field(default_factory=lambda: {})
    decided: dict[gast.AST, Decisions] = field(default_factory=lambda: {})
    visited: set[gast.AST] = field(default_factory=lambda: set())
    """The functions that were called."""
    in_graph: set[gast.AST] = field(default_factory=lambda: set())
    """The functions that were called in a graph."""
    frames: dict[int, Any] = field(default_factory=lambda: {})
    captured: set[int] = field(default_factory=lambda: set())
    """The frames that functions created in them may still read."""
    traces: dict[TraceKey, Past] = field(default_factory=lambda: {})
    handed_over: list[EscapedFunction] = field(default_factory=lambda: [])
    list_changes: dict[ListChanged, int] = field(default_factory=lambda: {})
    cells: Mapping[Cell, Content] = field(default_factory=lambda: {})
    places: Mapping[Cell, Place] = field(default_factory=lambda: {})
    shortened: set[str] = field(default_factory=lambda: set())
    """The names of the functions of other files that were followed only in part, because they take too many steps."""
    opaque: int = 0
    """The number of calls that may create variables, or may not."""
    makings: int = 0
    """The number of calls in a graph that always create variables."""
    steps: int = 0
    """The number of steps used, without those of cached calls inside a cached call."""
    charged_inside: int = 0
    """The number of steps used by the cached calls in it."""
    summaries: dict[Recording, None] = field(default_factory=lambda: {})
    """The cached calls in it, each once."""
    makers: set[int] = field(default_factory=lambda: set())
    """The serials, including its own, of everything that it created and that is still reachable."""
    lost: Set[int] = frozenset()
    """The serials of what it created, if nothing of that is reachable any more."""
    spent: int = 0
    """How many of its numbers belong to frames that are no longer reachable."""
    inner: dict[Recording, None] = field(default_factory=lambda: {})
    """The calls in it that have their own values and decisions."""
    calls: dict[str, list[Any]] = field(default_factory=lambda: {})
    """The cached calls in it by function name, in the order in which they ran."""
    earlier: dict[str, list[Any]] = field(default_factory=lambda: {})
    """The cached calls of the last run that weren't reused or repeated yet."""

    def end(self) -> None:
        """Release what is needed only while it runs; nothing more is recorded."""
        self.earlier = NO_ENTRIES
        # There are many recordings, and most of what they could hold is empty.
        for name in _HOLDING:
            if not getattr(self, name):
                setattr(self, name, NO_NAMES if name in _NAMES else NO_ENTRIES)

    def again(self, last: Recording) -> None:
        """Offer the cached calls of an earlier recording for reuse."""
        self.earlier = {name: list(calls) for name, calls in last.calls.items()}

    def saw(self, node: gast.AST, value: Value) -> None:
        """Record the value of a name or expression, over all visits."""
        before = self.values.get(node)
        if before is not value:
            self.values[node] = value if before is None else join(before, value)

    def tidy(self) -> None:
        """Replace the numbers of what is lost, so that facts about it stay the same when it is created again."""
        if self.lost:
            lost = numbering.Mentions(self.lost)
            self.values = {node: lost.removed_from(value) for node, value in self.values.items()}
            for decisions in self.decided.values():
                decisions.seen = {lost.removed_from(each): None for each in decisions.seen}
            self.lost = frozenset()

    def take(self, inner: Recording, facts: Iterable[tuple[Fact, Sites]]) -> None:
        """Add everything that a call in it saw, except what is only needed at the end."""
        for fact, reached in facts:
            self.facts.setdefault(fact, reached)
        if inner.values or inner.inner:
            self.inner[inner] = None
        self.visited |= inner.visited
        self.in_graph |= inner.in_graph
        self.frames.update(inner.frames)
        self.traces.update(inner.traces)
        self.handed_over += inner.handed_over
        self.makers |= inner.makers
        self.shortened |= inner.shortened


NO_NAMES: Any = frozenset[Any]()
NO_ENTRIES: Any = MappingProxyType[Any, Any]({})
_NAMES = ("visited", "in_graph", "captured", "shortened", "makers")
_HOLDING = (
    *_NAMES,
    *("facts", "values", "decided", "frames", "traces", "list_changes", "cells", "places", "summaries", "inner"),
    "calls",
)


def stretches(starts: Iterable[Recording]) -> tuple[Recording, ...]:
    """The starts and the cached calls in them, each once."""
    found: dict[Recording, None] = {}
    pending = [*starts][::-1]
    while pending:
        each = pending.pop()
        if each not in found:
            each.tidy()
            found[each] = None
            pending += reversed(each.inner)
    return tuple(found)


class Values(Mapping[gast.AST, Value]):
    """The values of names and expressions, over all starts."""

    def __init__(self, starts: Iterable[Recording]) -> None:
        self._parts = [each.values for each in stretches(starts)]

    def __getitem__(self, node: gast.AST) -> Value:
        found = [values[node] for values in self._parts if node in values]
        if not found:
            raise KeyError(node)
        result = found[0]
        for value in found[1:]:
            result = join(result, value)
        return result

    def together(self) -> Mapping[gast.AST, Value]:
        """Return the same as one dict, for code that reads most of a file."""
        found: dict[gast.AST, Value] = {}
        for values in self._parts:
            if found.keys().isdisjoint(values):
                found.update(values)
                continue
            for node, value in values.items():
                before = found.get(node)
                found[node] = value if before is None else join(before, value)
        return found

    def __iter__(self) -> Iterator[gast.AST]:
        return iter(dict.fromkeys(node for values in self._parts for node in values))

    def __len__(self) -> int:
        return sum(1 for _ in self)
