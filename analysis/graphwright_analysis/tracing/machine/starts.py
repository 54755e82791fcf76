"""The recorded result of tracing from one start, so that an edit elsewhere doesn't need to trace it again.

A start is a top-level block, a function without visible calls, or a class with such methods. Its lookups outside of
itself are recorded with their results. If all of these are still the same, so is the rest.
"""

from __future__ import annotations

from collections.abc import Container, Generator, Iterable, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from graphwright_analysis.flow.tree import parameters_of
from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax import Block
from graphwright_analysis.tracing.facts import Fact
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import Class, Value
from graphwright_analysis.values.sameness import same

from . import numbering
from .recordings import NO_ENTRIES, NO_NAMES, Recording
from .state import Cell, Reads
from .surroundings import OF_CLASSES, Questions, Surroundings

Key = tuple[Block, "gast.AST | None"] | tuple[Block, gast.AST, str]


@immutable
class CutPoint:
    """Where a start was cut because it takes too many steps or its calls are too deep."""

    hurried: bool
    """True if the file had already used up its steps."""
    reached: Place | None
    """The call or statement in the start's own code that was running."""


@dataclass(slots=True, eq=False)
class StartRecording(Recording):
    """What one start saw and changed."""

    name: str = ""
    """The name by which a start is found again after its text has changed."""
    at_top: bool = False
    """True if it is a block of the file that runs, rather than a function without visible calls."""
    node: gast.AST | None = None
    """The function without visible calls, or the class."""
    called: gast.AST | None = None
    """The function that was called for it: itself, or the one that its decorators made."""
    block: Block | None = None
    """The block that contains it, or that it is."""
    cut: CutPoint | None = None
    together: Key | None = None
    """The key that starts share if they are reported as one, such as the methods of a class."""
    blocks: frozenset[Block] = frozenset()
    """The blocks that contain the places of its facts."""
    told: tuple[object, tuple[Fact, ...]] | None = None
    """Its facts as they are reported, and the other blocks that they refer to."""
    made: Value | None = None
    """The instance that a class's start created for its methods."""
    complete: bool = True
    visited_steps: int = 0
    """The number of steps used by its own calls into other files, if these are limited together."""
    unfinished_visits: dict[gast.AST, int] = field(default_factory=lambda: {})
    """The functions of other files whose calls took too many steps, with the number of steps that they had."""
    hurried: bool = False
    """True if the file had already used up its steps, so this start got only a few."""
    silent: bool = False
    """True if it only shows how functions would be traced whose callers are eager, or not analyzed to the end."""
    finished: set[gast.AST] = field(default_factory=lambda: set())
    """The functions that have finished, while it runs."""
    charged: set[Recording] = field(default_factory=lambda: set())
    """The cached calls whose steps it has already paid for, while it runs."""
    judged: dict[Any, Any] = field(default_factory=lambda: {})
    """What the rules report about its facts; filled on request."""

    def end(self) -> None:
        self.charged = self.finished = NO_NAMES
        self.unfinished_visits = self.unfinished_visits or NO_ENTRIES
        Recording.end(self)

    @property
    def is_surely_run(self) -> bool:
        """True if nothing about its arguments is assumed."""
        return self.at_top or (isinstance(self.node, gast.FunctionDef) and not parameters_of(self.node))

    @property
    def is_of_class(self) -> bool:
        """True if it makes an instance of a class or calls a method, so that its changes are undone with the others'
        of this class."""
        return self.together is not None and isinstance(self.together[1], gast.ClassDef)

    @property
    def supposes_no_more_than_a_receiver(self) -> bool:
        """True if its arguments are those of real calls, except for the instance of a method."""
        method = isinstance(self.node, gast.FunctionDef) and "." in self.name and len(parameters_of(self.node)) == 1
        return self.is_surely_run or method

    @property
    def supposed(self) -> gast.AST | None:
        """The function whose arguments are unknown as long as no call of it is seen."""
        if isinstance(self.node, gast.ClassDef):
            return next((each for each in self.visited if getattr(each, "name", "") == "__init__"), None)
        return None if self.is_surely_run else self.node

    def holds(self, subject: Any, around: Surroundings, since: ChangeSet) -> bool:
        """True if every recorded lookup would find the same."""
        around.ground.reads = Reads()
        if not same(self.subject, subject):
            return False
        if since.leaves(self, around):
            return True
        # Files of which something was asked for the first time may have changed what others hold.
        return self.reads.hold(around.ground, around) and self.reads.contents_hold(around.ground)

    def settle(self, around: Surroundings) -> None:
        """Add the changes to the state in which the next start begins."""
        around.change(self.cells, self.places)
        around.traces.update(self.traces)
        # A call is tried again only with more steps.
        around.unfinished_visits.update(self.unfinished_visits)


@dataclass(slots=True, eq=False)
class ChangeSet:
    """The differences between the ground of a start and that of the same start in the last run.

    Goes through the starts of the last run and of this one in parallel. Starts that ran again, are new or are gone may
    have left something different; a start that looked up nothing of that is still current.
    """

    last: Sequence[StartRecording] = ()
    """The starts of the last run, in order; empty if what they looked up in other files has changed."""
    module: int = 0
    """The number of the file's own frame."""
    cells: set[Cell] = field(default_factory=lambda: set())
    """The cells that may have a different value, or may have been written in a different place."""
    owners: set[int] = field(default_factory=lambda: set())
    sure: Questions = frozenset()
    """The questions whose answers are still the same."""
    _order: dict[StartRecording, int] = field(init=False)
    _next: int = 0
    _together: bool = False
    """True if the last start has the same place in the order as before."""
    _gone: list[StartRecording] = field(default_factory=lambda: [])
    """The starts that were found to be gone, as of the last ones whose changes are undone."""

    def __post_init__(self) -> None:
        self._order = {seen: index for index, seen in enumerate(self.last)}

    def comes(self, seen: StartRecording | None) -> None:
        """Note the next start: this one of the last run, or a new one (None)."""
        index = -1 if seen is None else self._order.get(seen, -1)
        self._together = index >= self._next
        if self._together:
            gone = self.last[self._next : index]
            self._gone += gone
            self._are_gone(gone)
            self._next = index + 1

    def _are_gone(self, starts: Iterable[StartRecording]) -> None:
        for other in starts:
            self._differs((*other.cells, *other.places), other.cells)

    def leaves(self, seen: StartRecording, around: Surroundings) -> bool:
        """True if everything that the next start looked up is still the same."""
        reads = seen.reads
        return (
            self._together
            and self.cells.isdisjoint(reads.cells)
            and self.cells.isdisjoint(reads.places)
            and not any(owner in self.owners for owner, _ in reads.owners)
            and all(
                same(around.ground.answer_now(around, *question), answer)
                for question, answer in reads.answers.items()
                if question[0] not in self.sure
            )
        )

    def ran(self, before: StartRecording | None, now: StartRecording) -> None:
        """Note that the next start has run again."""
        if before is None or not self._together:
            self._differs((*now.cells, *now.places), now.cells)
            return
        unlike = (*_unlike(before.cells, now.cells), *_unlike(before.places, now.places))
        self._differs(unlike, before.cells, now.cells)
        if [*before.cells] != [*now.cells]:
            # An owner's names may be found in another order.
            self.owners.update(owner for owner, _ in (*before.cells, *now.cells))

    @contextmanager
    def undoing(self) -> Generator[None]:
        """Run starts whose changes are undone at the end; the order of an owner's names may then differ."""
        cells, sure = set(self.cells), self.sure
        self._gone.clear()
        yield
        self.cells, self.sure = cells, sure
        # The first of them may have followed others that are gone, whose changes weren't.
        self._are_gone(other for other in self._gone if not other.is_of_class)

    def _differs(self, cells: Iterable[Cell], *contents: Mapping[Cell, object]) -> None:
        for cell in cells:
            self.cells.add(cell)
            self.owners.add(cell[0])
            held = (each.get(cell) for each in contents)
            if cell[0] != self.module or any(isinstance(each, Class) for each in held):
                self.sure -= OF_CLASSES


def _unlike(before: Mapping[Cell, object], now: Mapping[Cell, object]) -> list[Cell]:
    """The cells that are in only one of two mappings, or have different values."""
    return [cell for cell in before.keys() | now.keys() if not same(before.get(cell), now.get(cell))]


@dataclass(slots=True)
class Memory:
    """The starts of a file as of their last trace, under settings that apply to the whole file."""

    surroundings: Surroundings = field(default_factory=lambda: Surroundings())
    number: int = field(default_factory=lambda: numbering.first_of(numbering.next_serial()))
    """The number of the file's frame, which others may know before the file runs."""
    frame: Any = None
    context: Any = None
    starts: dict[Key, StartRecording] = field(default_factory=lambda: {})
    order: tuple[StartRecording, ...] = ()
    """The starts of the last run that wasn't cancelled, in the order in which they began."""
    ran: Any = None
    """The file that ran then."""
    used: Any = None
    """What that run looked up in other files, as its `Links` know it."""
    edited: dict[str, StartRecording] = field(default_factory=lambda: {})
    """The starts whose text has changed since they were traced, by name."""
    extended: frozenset[str] = frozenset()
    """The attributes that the last run stored on TensorFlow's classes."""
    calls: dict[object, tuple[Any, ...]] = field(default_factory=lambda: {})
    """Calls that create nothing, by function name and conditions, newest first: they are the same wherever they run."""

    def kept(self, left: Container[Block]) -> Memory:
        """Return what is still valid if only these blocks remain."""
        starts = {key: seen for key, seen in self.starts.items() if key[0] in left}
        edited = self.edited | {seen.name: seen for key, seen in self.starts.items() if key not in starts}
        return replace(self, starts=starts, edited=edited, calls=dict(self.calls))

    def last(self, key: Key, name: str) -> tuple[StartRecording | None, bool]:
        """What a start saw in the last run, and whether its text is the same."""
        found = self.starts.get(key)
        return (self.edited.pop(name, None), False) if found is None else (found, True)

    def under(self, context: Any) -> None:
        """Drop everything that was traced under other settings."""
        if self.context != context:
            self.context, self.starts, self.order, self.edited, self.calls = context, {}, (), {}, {}


ANY_NAME = "*"
"""Represents any name of a file."""


def names_read_in(modules: Mapping[int, str], starts: Iterable[StartRecording]) -> Set[tuple[str, str]]:
    """The names that starts looked up in other files, which have these frame numbers."""
    found = set[tuple[str, str]]()
    for reads in (seen.reads for seen in starts):
        found.update((modules[owner], name) for owner, name in reads.cells if owner in modules)
        found.update((modules[owner], ANY_NAME) for owner, _ in reads.owners if owner in modules)
    return found
