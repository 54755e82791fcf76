"""What tracing from one start has seen, kept so that an edit elsewhere needn't trace it again.

A start is a top-level block, a function that nothing calls, or a class with methods that nothing calls. What it has
looked up of its surroundings is recorded with what it found; where all of that is the same again, so is the rest.
"""

from __future__ import annotations

from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from graphwright_analysis.syntax import Block
from graphwright_analysis.tracing.facts import Fact, ListChanged
from graphwright_analysis.tracing.facts.decisions import Decisions
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import Class, Value
from graphwright_analysis.values.joining import join
from graphwright_analysis.values.sameness import same

from . import numbering
from .context import Sites
from .state import Cell, Content, Reads
from .surroundings import OF_CLASSES, Past, Questions, Surroundings, TraceKey

Key = tuple[Block, "gast.AST | None"] | tuple[Block, gast.AST, str]


@dataclass(frozen=True, slots=True)
class EscapedFunction:
    """What a function has made that may be called later: by `tf.function`, or for code that isn't followed."""

    frame: Any
    value: Value
    in_graph: bool = False


@dataclass(frozen=True, slots=True)
class CutPoint:
    """Where a start was given up because it takes too many steps or goes too deep."""

    hurried: bool
    """Whether the file had used up its steps before."""
    reached: Place | None
    """The call or statement in the start's own code that was under way."""


@dataclass(slots=True, eq=False)
class Recording:
    """What a stretch of the run has looked up, seen and changed: a start, or a call in it that is remembered."""

    serial: int
    """What the numbers of all that it makes begin with; made again, it makes the same under the same numbers."""
    subject: Any = None
    reads: Reads = field(default_factory=Reads)
    facts: dict[Fact, Sites] = field(default_factory=lambda: {})
    """What was noted, with the calls by which the code is reached where it was noted first."""
    values: dict[gast.AST, Value] = field(default_factory=lambda: {})
    decided: dict[gast.AST, Decisions] = field(default_factory=lambda: {})
    visited: set[gast.AST] = field(default_factory=lambda: set())
    """The functions that were called."""
    in_graph: set[gast.AST] = field(default_factory=lambda: set())
    """Those that were called in a graph."""
    frames: dict[int, Any] = field(default_factory=lambda: {})
    captured: set[int] = field(default_factory=lambda: set())
    """The frames that functions made in them may still read."""
    traces: dict[TraceKey, Past] = field(default_factory=lambda: {})
    handed_over: list[EscapedFunction] = field(default_factory=lambda: [])
    list_changes: dict[ListChanged, int] = field(default_factory=lambda: {})
    cells: Mapping[Cell, Content] = field(default_factory=lambda: {})
    places: Mapping[Cell, Place] = field(default_factory=lambda: {})
    opaque: int = 0
    """How many calls were met of which nobody knows whether they make variables."""
    makings: int = 0
    """How many surely make some, in a graph."""
    steps: int = 0
    """How many it took; those of a remembered call are without those of the calls in it."""
    charged_inside: int = 0
    """How many the remembered calls in it took."""
    summaries: dict[Recording, None] = field(default_factory=lambda: {})
    """The remembered calls in it, each once."""
    makers: set[int] = field(default_factory=lambda: set())
    """The serials, its own among them, of what it has made and can still be reached."""
    lost: Set[int] = frozenset()
    """The serials of what it has made if nothing of that can be reached any more."""
    spent: int = 0
    """How many of the numbers that it has given stand for frames that nothing can reach any more."""
    inner: dict[Recording, None] = field(default_factory=lambda: {})
    """The calls in it that have values and decisions of their own."""
    calls: dict[str, list[Any]] = field(default_factory=lambda: {})
    """The calls in it that are remembered, by the function's name, in the order in which they were made."""
    earlier: dict[str, list[Any]] = field(default_factory=lambda: {})
    """Those of the last time, as far as they weren't taken over or made again yet."""

    def again(self, last: Recording) -> None:
        """It is the same that was seen before in other circumstances."""
        self.earlier = {name: list(calls) for name, calls in last.calls.items()}

    def saw(self, node: gast.AST, value: Value) -> None:
        """Remember what a name or expression was, over all visits."""
        before = self.values.get(node)
        if before is not value:
            self.values[node] = value if before is None else join(before, value)

    def tidy(self) -> None:
        """Tell of what is lost without its numbers, as it is told of when the same is made again."""
        if self.lost:
            self.values = {node: numbering.nameless(value, self.lost) for node, value in self.values.items()}
            for decisions in self.decided.values():
                decisions.seen = {numbering.nameless(each, self.lost): None for each in decisions.seen}
            self.lost = frozenset()

    def take(self, inner: Recording, facts: Iterable[tuple[Fact, Sites]]) -> None:
        """All that a call in it has seen was seen in it as well; what is only asked when all is over stays there."""
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


@dataclass(slots=True, eq=False)
class StartRecording(Recording):
    """What one start saw and changed."""

    name: str = ""
    """By it a start is found again whose text was changed."""
    at_top: bool = False
    """Whether it is a block of the file that was run, and not a function that nothing calls."""
    node: gast.AST | None = None
    """The function that nothing calls, or the class."""
    block: Block | None = None
    """The block that it stands in, or is."""
    cut: CutPoint | None = None
    together: object = None
    """What starts have in common that are told of as one: those of the methods of a class."""
    blocks: frozenset[Block] = frozenset()
    """The blocks that its facts have places in."""
    told: tuple[object, tuple[Fact, ...]] | None = None
    """Its facts as they are told, and the other blocks that they are told of."""
    made: Value | None = None
    """The instance that a class's start has made for its methods."""
    complete: bool = True
    hurried: bool = False
    """Whether the file had used up its steps before, so that this start got few."""
    silent: bool = False
    """Whether it only shows what functions would be: others call them, outside of a graph or not to the end."""
    finished: set[gast.AST] = field(default_factory=lambda: set())
    """The functions that it has run to the end, while it runs."""
    charged: set[Recording] = field(default_factory=lambda: set())
    """The remembered calls that it has paid for, while it runs."""
    judged: dict[Any, Any] = field(default_factory=lambda: {})
    """What the rules said of its facts; filled by whoever asks them."""

    @property
    def is_surely_run(self) -> bool:
        """Whether nothing about its arguments had to be supposed."""
        return self.at_top or (isinstance(self.node, gast.FunctionDef) and not self.node.args.args)

    @property
    def supposes_no_more_than_a_receiver(self) -> bool:
        """Whether what it calls is given what it is given in a program, but for the instance that a method is of."""
        method = isinstance(self.node, gast.FunctionDef) and "." in self.name and len(self.node.args.args) == 1
        return self.is_surely_run or method

    @property
    def supposed(self) -> gast.AST | None:
        """The function of whose arguments nothing is known, for as long as nobody is seen to call it."""
        if isinstance(self.node, gast.ClassDef):
            return next((each for each in self.visited if getattr(each, "name", "") == "__init__"), None)
        return None if self.is_surely_run else self.node

    def holds(self, subject: Any, around: Surroundings, since: ChangeSet) -> bool:
        """Whether everything that it looked up would be found again."""
        around.ground.reads = Reads()
        if not same(self.subject, subject):
            return False
        if since.leaves(self, around):
            return True
        # Files of which something was asked for the first time may have changed what others hold.
        return self.reads.hold(around.ground, around) and self.reads.contents_hold(around.ground)


@dataclass(slots=True, eq=False)
class ChangeSet:
    """In what the ground of a start differs from what the same start was on the last time.

    The starts of the last time are gone through beside those of now. What has run again, wasn't there or isn't there
    any more may have left something else; where nothing of that was looked up, nothing need be looked up again.
    """

    last: Sequence[StartRecording] = ()
    """The starts of the last time in their order; none where what they had of other files isn't the same."""
    module: int = 0
    """The number of the file's own frame."""
    cells: set[Cell] = field(default_factory=lambda: set())
    """What may hold something else, or have been written in another place."""
    owners: set[int] = field(default_factory=lambda: set())
    sure: Questions = frozenset()
    """The questions whose answers are surely the same."""
    _order: dict[StartRecording, int] = field(init=False)
    _next: int = 0
    _together: bool = False
    """Whether the start that was asked about last has the place in the order that it had."""

    def __post_init__(self) -> None:
        self._order = {seen: index for index, seen in enumerate(self.last)}

    def comes(self, seen: StartRecording | None) -> None:
        """The next start is this one of the last time, or a new one."""
        index = -1 if seen is None else self._order.get(seen, -1)
        self._together = index >= self._next
        if self._together:
            for other in self.last[self._next : index]:
                self._differs((*other.cells, *other.places), other.cells)
            self._next = index + 1

    def leaves(self, seen: StartRecording, around: Surroundings) -> bool:
        """Whether what the start that comes has looked up is surely the same."""
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
        """The start that comes was run again."""
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
        """Around starts whose changes are undone after them; an owner's names may be in another order then."""
        cells, sure = set(self.cells), self.sure
        yield
        self.cells, self.sure = cells, sure

    def _differs(self, cells: Iterable[Cell], *contents: Mapping[Cell, object]) -> None:
        for cell in cells:
            self.cells.add(cell)
            self.owners.add(cell[0])
            held = (each.get(cell) for each in contents)
            if cell[0] != self.module or any(isinstance(each, Class) for each in held):
                self.sure -= OF_CLASSES


def _unlike(before: Mapping[Cell, object], now: Mapping[Cell, object]) -> list[Cell]:
    """The cells that are in one of two mappings alone, or with something else."""
    return [cell for cell in before.keys() | now.keys() if not same(before.get(cell), now.get(cell))]


@dataclass(slots=True)
class Memory:
    """The starts of a file as they were last traced, under settings that hold for the whole file."""

    surroundings: Surroundings = field(default_factory=lambda: Surroundings())
    frame: Any = None
    context: Any = None
    starts: dict[Key, StartRecording] = field(default_factory=lambda: {})
    order: tuple[StartRecording, ...] = ()
    """Those of the last run that was not given up, in the order in which they began."""
    ran: Any = None
    """What was run then."""
    used: Any = None
    """What that run had of other files, as their `Links` know it."""
    edited: dict[str, StartRecording] = field(default_factory=lambda: {})
    """Those whose text was changed since they were traced, by name."""
    extended: frozenset[str] = frozenset()
    """The attributes that the last run has seen to be stored on TensorFlow's classes."""
    calls: dict[object, tuple[Any, ...]] = field(default_factory=lambda: {})
    """Calls that make nothing, by the function's name and the circumstances, the latest first: they are the same
    wherever they are made."""

    def kept(self, left: Container[Block]) -> Memory:
        """What is still of use when only these blocks are left."""
        starts = {key: seen for key, seen in self.starts.items() if key[0] in left}
        edited = self.edited | {seen.name: seen for key, seen in self.starts.items() if key not in starts}
        return replace(self, starts=starts, edited=edited, calls=dict(self.calls))

    def last(self, key: Key, name: str) -> tuple[StartRecording | None, bool]:
        """What a start has seen the last time, and whether its text is the same."""
        found = self.starts.get(key)
        return (self.edited.pop(name, None), False) if found is None else (found, True)

    def under(self, context: Any) -> None:
        """Forget everything that was traced under other settings."""
        if self.context != context:
            self.context, self.starts, self.order, self.edited, self.calls = context, {}, (), {}, {}


ANY_NAME = "*"
"""Stands for any name of a file."""


def names_read_in(modules: Mapping[int, str], starts: Iterable[StartRecording]) -> Set[tuple[str, str]]:
    """The names that starts have looked up in other files, given the numbers of the frames of these."""
    found = set[tuple[str, str]]()
    for reads in (seen.reads for seen in starts):
        found.update((modules[owner], name) for owner, name in reads.cells if owner in modules)
        found.update((modules[owner], ANY_NAME) for owner, _ in reads.owners if owner in modules)
    return found


def stretches(starts: Iterable[Recording]) -> tuple[Recording, ...]:
    """Starts and the calls in them that are remembered, each once."""
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
    """What names and expressions were, over all starts."""

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
        """The same in one dict, for whoever asks about much of a file."""
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
