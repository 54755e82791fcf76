"""What tracing from one start has seen, kept so that an edit elsewhere needn't trace it again.

A start is a top-level block, a function that nothing calls, or a class with methods that nothing calls. What it has
looked up of its surroundings is recorded with what it found; where all of that is the same again, so is the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Generator, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast

from graphwright_analysis.syntax import Block
from graphwright_analysis.tracing.facts import Fact
from graphwright_analysis.tracing.facts.decisions import Decisions
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import Class, Items, Traced, Tuple, Value, join, lineage
from graphwright_analysis.values.sameness import same

from .state import Cell, Content, Ground, Reads

_serials = itertools.count(1)


def next_serial() -> int:
    """A number of its own for every start: what it makes is told apart by it from what any other has made."""
    return next(_serials)


Key = tuple[Block, "gast.AST | None"]
TraceKey = tuple[Traced, tuple[Value, ...]]


Slot = tuple[int, str, Any]
"""Where something is kept: an owner, a name, and the key where that is a collection's content."""


@dataclass(frozen=True, slots=True)
class Read:
    """A Python value from outside that a trace has used."""

    slot: Slot
    place: Place
    target: str


@dataclass(frozen=True, slots=True)
class Past:
    """What a trace gave, what it had read outside, and what it left there in place of what."""

    result: Value
    reads: tuple[Read, ...] = ()
    left: tuple[tuple[Cell, Content, Content], ...] = ()


@dataclass(slots=True, eq=False)
class Seen:
    """What one start saw and changed."""

    serial: int
    """What the numbers of all that it makes begin with; made again, it makes the same under the same numbers."""
    subject: Any = None
    at_top: bool = False
    """Whether it is a block of the file that was run, and not a function that nothing calls."""
    reads: Reads = field(default_factory=Reads)
    facts: dict[Fact, None] = field(default_factory=dict[Fact, None])
    values: dict[gast.AST, Value] = field(default_factory=dict[gast.AST, Value])
    decided: dict[gast.AST, Decisions] = field(default_factory=dict[gast.AST, "Decisions"])
    visited: set[gast.AST] = field(default_factory=set[gast.AST])
    frames: dict[int, Any] = field(default_factory=dict[int, Any])
    traces: dict[TraceKey, Past] = field(default_factory=dict[TraceKey, "Past"])
    cells: Mapping[Cell, Content] = field(default_factory=dict[Cell, Content])
    places: Mapping[Cell, Place] = field(default_factory=dict[Cell, Place])
    together: object = None
    """What starts have in common that are told of as one: those of the methods of a class."""
    blocks: frozenset[Block] = frozenset()
    """The blocks that its facts have places in."""
    told: tuple[object, tuple[Fact, ...]] | None = None
    """Its facts as they are told, and the other blocks that they are told of."""
    made: Value | None = None
    """The instance that a class's start has made for its methods."""
    complete: bool = True
    steps: int = 0
    hurried: bool = False
    """Whether the file had used up its steps before, so that this start got few."""
    judged: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """What the rules said of its facts; filled by whoever asks them."""

    def saw(self, node: gast.AST, value: Value) -> None:
        """Remember what a name or expression was, over all visits."""
        before = self.values.get(node)
        self.values[node] = value if before is None else join(before, value)

    def holds(self, subject: Any, around: Surroundings) -> bool:
        """Whether everything that it looked up would be found again."""
        ground = around.ground
        reads, now, places = self.reads, ground.now, ground.places
        return (
            same(self.subject, subject)
            and all(same(now(cell), content) for cell, content in reads.cells.items())
            and all(places.get(cell) == place for cell, place in reads.places.items())
            and all(same(ground.owned_now(owner), owned) for owner, owned in reads.owners.items())
            and all(same(question(around, *rest), answer) for (question, *rest), answer in reads.answers.items())
        )


@dataclass(slots=True)
class Memory:
    """The starts of a file as they were last traced, under settings that hold for the whole file."""

    surroundings: Surroundings = field(default_factory=lambda: Surroundings())
    frame: Any = None
    context: Any = None
    starts: dict[Key, Seen] = field(default_factory=dict[Key, Seen])

    def kept(self, blocks: Container[Block]) -> Memory:
        """What is still of use when only these blocks are left."""
        starts = {key: seen for key, seen in self.starts.items() if key[0] in blocks}
        return Memory(self.surroundings, self.frame, self.context, starts)

    def under(self, context: Any) -> None:
        """Forget everything that was traced under other settings."""
        if self.context != context:
            self.context, self.starts = context, {}


class Values(Mapping[gast.AST, Value]):
    """What names and expressions were, over all starts."""

    def __init__(self, starts: tuple[Seen, ...]) -> None:
        self._starts = starts

    def __getitem__(self, node: gast.AST) -> Value:
        found = [seen.values[node] for seen in self._starts if node in seen.values]
        if not found:
            raise KeyError(node)
        result = found[0]
        for value in found[1:]:
            result = join(result, value)
        return result

    def together(self) -> Mapping[gast.AST, Value]:
        """The same in one dict, for whoever asks about much of a file."""
        found: dict[gast.AST, Value] = {}
        for seen in self._starts:
            if found.keys().isdisjoint(seen.values):
                found.update(seen.values)
                continue
            for node, value in seen.values.items():
                before = found.get(node)
                found[node] = value if before is None else join(before, value)
        return found

    def __iter__(self) -> Iterator[gast.AST]:
        return iter(dict.fromkeys(node for seen in self._starts for node in seen.values))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Surroundings:
    """The file that starts stand in, as far as they may ask about it; it outlives the traces of the file."""

    def __init__(self) -> None:
        self.ground = Ground()
        self.names: frozenset[str] = frozenset()
        self.stores: Callable[[], frozenset[str]] = frozenset
        """What the file sets; it holds nothing that holds on to these surroundings, which would keep a file alive."""
        self.imports: Mapping[Any, Any] = {}
        self.traces: dict[TraceKey, Past] = {}
        self._overridden: dict[int, set[str]] | None = None

    def ask(self, question: Callable[..., Any], *arguments: Any) -> Any:
        """The answer of one of the methods below, noted like a look at the ground."""
        answers, key = self.ground.reads.answers, (question, *arguments)
        if key not in answers:
            answers[key] = question(self, *arguments)
        return answers[key]

    def binds(self, name: object) -> bool:
        return name in self.names

    def stored_attributes(self) -> frozenset[str]:
        """The attributes that the file sets anywhere but in an `__init__`."""
        return self.stores()

    def imported(self, asked: object) -> Any:
        """Where an import leads, if that is in the project."""
        return self.imports.get(asked)

    def trace_of(self, key: TraceKey) -> Past | None:
        """What an earlier start's trace of a traced function gave."""
        return self.traces.get(key)

    def holders_of(self, value: Value) -> tuple[Cell, ...]:
        """The cells that hold a value, or have it in a list or tuple."""
        owners = self.ground.cells.items()
        return tuple((owner, name) for owner, owned in owners for name, held in owned.items() if _has(held, value))

    def overridden(self, class_: Class) -> frozenset[str]:
        """The attributes that a class's heirs bind as well."""
        if self._overridden is None:
            self._overridden = {}
            for owned in self.ground.cells.values():
                for heir in owned.values():
                    if isinstance(heir, Class):
                        self._inherit(heir)
        return frozenset(self._overridden.get(class_.id, ()))

    def settle(self, seen: Seen) -> None:
        """What a start has changed becomes part of what the next one begins with."""
        self.ground.commit(seen.cells, seen.places)
        self.traces.update(seen.traces)
        if seen.cells:
            self._overridden = None

    @contextmanager
    def supposing(self) -> Generator[None]:
        """Around starts of whose changes those after them know nothing; of their traces they do."""
        with self.ground.undoing():
            yield
        self._overridden = None

    def _inherit(self, heir: Class) -> None:
        assert self._overridden is not None
        names = self.ground.cells.get(heir.id, {})
        for base in lineage(heir):
            if isinstance(base, Class) and base is not heir:
                self._overridden.setdefault(base.id, set()).update(names)


class ModuleNames(Set[str]):
    """The names that a file's top level binds; whether one is among them is noted like a look at the ground."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings

    def __contains__(self, name: object) -> bool:
        return self._surroundings.ask(Surroundings.binds, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._surroundings.names)

    def __len__(self) -> int:
        return len(self._surroundings.names)


def _has(held: Content, value: Value) -> bool:
    if isinstance(held, Items):
        return held.known is not None and value in held.known
    if isinstance(held, Tuple):
        return any(_has(item, value) for item in held.items)
    return held == value
