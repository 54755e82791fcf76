"""The state of an abstract trace: the value of each name, attribute and collection at one point of the program.

It is one flat mapping, so a fork is one copy, and a join compares cell by cell. It knows nothing about statements.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values.domain import MAYBE, UNDEFINED, UNKNOWN, Entries, Items, Tensor, Tuple, Value
from graphwright_analysis.values.joining import join
from graphwright_analysis.values.sameness import same

Cell = tuple[int, str]
Content = Value | Items | Entries
Kind = type[object] | tuple[type[object], ...]

CONTENT = "[]"
"""The key for the content of a list or dict."""


_NOTHING: Mapping[str, Content] = {}
_UNASKED = object()


@dataclass(slots=True)
class Reads:
    """The lookups of a start in the state before it; it is still valid if all of them give the same result."""

    cells: dict[Cell, Content] = field(default_factory=lambda: {})
    places: dict[Cell, Place | None] = field(default_factory=lambda: {})
    owners: dict[tuple[int, Kind], dict[str, Content]] = field(default_factory=lambda: {})
    answers: dict[tuple[Any, ...], Any] = field(default_factory=lambda: {})
    """The answers to questions about more than one cell: a method of the surroundings, its arguments and its result."""

    def hold(self, ground: Ground, around: Any) -> bool:
        """True if all lookups would give the same result on this ground; records nothing there."""
        return self.contents_hold(ground) and all(
            same(ground.answer_now(around, *question), answer) for question, answer in self.answers.items()
        )

    def contents_hold(self, ground: Ground) -> bool:
        """True if all cells have the same content on this ground, whatever the answers are."""
        for cell, found in self.cells.items():
            if (now := ground.content_now(cell)) is not found and not same(now, found):
                return False
        for cell, written in self.places.items():
            if (place := ground.place_now(cell)) is not written and place != written:
                return False
        return all(same(ground.owned_now(*owner), found) for owner, found in self.owners.items())


@dataclass(slots=True)
class Ground(ABC):
    """The state where a part of the run begins. It doesn't change during that part, and every lookup is recorded."""

    reads: Reads = field(default_factory=Reads, kw_only=True)

    def content(self, cell: Cell) -> Content:
        known = self.reads.cells.get(cell)
        if known is None:
            known = self.reads.cells[cell] = self.content_now(cell)
        return known

    def place(self, cell: Cell) -> Place | None:
        found = self.reads.places[cell] = self.place_now(cell)
        return found

    def owned(self, owner: int, kind: Kind) -> dict[str, Content]:
        """All cells of one owner with content of a kind."""
        found = self.reads.owners.get((owner, kind))
        if found is None:
            found = self.reads.owners[owner, kind] = self.owned_now(owner, kind)
        return found

    def asked(self, around: Any, question: Callable[..., Any], *arguments: Any) -> Any:
        """The answer of a method of the surroundings."""
        answers, key = self.reads.answers, (question, *arguments)
        found = answers.get(key, _UNASKED)
        if found is _UNASKED:
            found = answers[key] = self.answer_now(around, question, *arguments)
        return found

    # The same without a note of the look.

    @abstractmethod
    def content_now(self, cell: Cell) -> Content: ...
    @abstractmethod
    def place_now(self, cell: Cell) -> Place | None: ...
    @abstractmethod
    def owned_now(self, owner: int, kind: Kind) -> dict[str, Content]: ...
    @abstractmethod
    def answer_now(self, around: Any, question: Callable[..., Any], *arguments: Any) -> Any: ...


@dataclass(slots=True)
class FileGround(Ground):
    """The state where a start begins: the results of earlier starts and of other files."""

    cells: dict[int, dict[str, Content]] = field(default_factory=lambda: {})
    places: dict[Cell, Place] = field(default_factory=lambda: {})
    foreign: Mapping[int, Mapping[str, Content]] = field(default_factory=lambda: {})
    """The exports of other files."""
    _undo: list[tuple[Cell, Content]] | None = None
    _undo_places: list[tuple[Cell, Place | None]] = field(default_factory=lambda: [])

    def content_now(self, cell: Cell) -> Content:
        # `_of` written out: this is asked thousands of times at each edit.
        owned = self.cells.get(cell[0])
        if owned is None:
            owned = self.foreign.get(cell[0], _NOTHING)
        return owned.get(cell[1], UNDEFINED)

    def place_now(self, cell: Cell) -> Place | None:
        return self.places.get(cell)

    def owned_now(self, owner: int, kind: Kind) -> dict[str, Content]:
        return {name: held for name, held in self._of(owner).items() if isinstance(held, kind)}

    def answer_now(self, around: Any, question: Callable[..., Any], *arguments: Any) -> Any:
        return question(around, *arguments)

    def _of(self, owner: int) -> Mapping[str, Content]:
        found = self.cells.get(owner)
        return self.foreign.get(owner, _NOTHING) if found is None else found

    def _own(self, owner: int) -> dict[str, Content]:
        """The cells of an owner, to write to: those exported by another file are copied first."""
        found = self.cells.get(owner)
        if found is None:
            found = self.cells[owner] = dict(self.foreign.get(owner, {}))
        return found

    def commit(self, cells: Mapping[Cell, Content], places: Mapping[Cell, Place]) -> None:
        """Add the changes of a start to the state in which the next one begins."""
        if self._undo is not None:
            self._undo += [(cell, self.content_now(cell)) for cell in cells]
            self._undo_places += [(cell, self.places.get(cell)) for cell in places]
        for (owner, name), content in cells.items():
            if content is UNDEFINED:
                self._own(owner).pop(name, None)
            else:
                self._own(owner)[name] = content
        self.places.update(places)

    @contextmanager
    def undoing(self) -> Generator[None]:
        """Undo commits at the end of this context."""
        self._undo, self._undo_places = [], []
        try:
            yield
        finally:
            cells, places = dict(reversed(self._undo)), dict(reversed(self._undo_places))
            self._undo = None
            self.commit(cells, {cell: place for cell, place in places.items() if place is not None})
            for cell in [cell for cell, place in places.items() if place is None]:
                del self.places[cell]


@dataclass(slots=True)
class State:
    """The content of every cell: `cells` and `written` have the changes since the ground, which has the rest."""

    ground: Ground = field(default_factory=FileGround)
    cells: dict[Cell, Content] = field(default_factory=lambda: {})
    written: dict[Cell, Place] = field(default_factory=lambda: {})
    outside: Mapping[Cell, Content] | None = None
    """The content of the cells when the trace began: tensors that are still there are eager."""

    def fork(self) -> State:
        return State(self.ground, dict(self.cells), dict(self.written), self.outside)

    def content(self, cell: Cell) -> Content:
        """The content of a cell; `UNDEFINED` if there is none."""
        found = self.cells.get(cell)
        if found is None:
            found = self.ground.content(cell)
            return found if self.outside is None else eager(found)
        return eager(found) if self.outside is not None and self.outside.get(cell) is found else found

    def value(self, owner: int, name: str) -> Value:
        found = self.content((owner, name))
        return found if isinstance(found, Value) else UNKNOWN

    def place(self, cell: Cell) -> Place | None:
        """Where a cell was last written."""
        return self.written.get(cell) or self.ground.place(cell)

    def owned(self, owner: int, kind: Kind = object) -> dict[str, Content]:
        """All cells of one owner, or those with content of a kind; only these count as looked up."""
        found = dict(self.ground.owned(owner, kind))
        found.update({name: content for (other, name), content in self.cells.items() if other == owner})
        return {name: held for name, held in found.items() if held is not UNDEFINED and isinstance(held, kind)}

    def set(self, owner: int, name: str, value: Value, place: Place | None = None) -> None:
        self.cells[owner, name] = UNKNOWN if isinstance(value, Tuple) and _parts(value) > _MOST_PARTS else value
        if place is not None:
            self.written[owner, name] = place

    def delete(self, owner: int, name: str, place: Place | None = None) -> None:
        self.set(owner, name, UNDEFINED, place)

    def drop(self, owner: int, names: Iterable[str]) -> None:
        """Drop unreachable cells that this start created."""
        for name in names:
            self.cells.pop((owner, name), None)
            self.written.pop((owner, name), None)

    def items(self, owner: int) -> Items | None:
        found = self.content((owner, CONTENT))
        return found if isinstance(found, Items) else None

    def entries(self, owner: int) -> Entries | None:
        found = self.content((owner, CONTENT))
        return found if isinstance(found, Entries) else None

    def put(self, cell: Cell, content: Content) -> None:
        self.cells[cell] = content

    def set_content(self, owner: int, content: Items | Entries) -> None:
        self.cells[owner, CONTENT] = content


_MOST_PARTS = 4096
"""The maximum number of values in a tuple, including nested ones, that is still analyzed element by element."""


def _parts(value: Tuple) -> int:
    """The number of values in a tuple, counting nested ones each time; inexact beyond the limit."""
    found, pending = 0, [value]
    while pending and found <= _MOST_PARTS:
        items = pending.pop().items
        found += len(items)
        pending += [item for item in items if isinstance(item, Tuple)]
    return found


def eager(content: Any) -> Any:
    """The content of a cell as one created outside of the trace."""
    if isinstance(content, Tensor):
        return content if content.eager else replace(content, eager=True)
    if isinstance(content, Tuple) and any(isinstance(item, (Tensor, Tuple)) for item in content.items):
        return Tuple(tuple(map(eager, content.items)), content.fields)
    if isinstance(content, Items):
        known = content.known
        return Items(None if known is None else tuple(map(eager, known)), eager(content.element))
    if isinstance(content, Entries):
        return Entries(tuple((key, eager(held)) for key, held in content.known), content.closed)
    return content


@dataclass(slots=True)
class Outcome:
    """How statements ended: `normal` is the state after the last, None if control never gets there.

    `took_rest` is True if the statements that follow in the same list ran as well, `unsure` if a `break` or `continue`
    depends on an unknown Python value.
    """

    normal: State | None
    returns: list[tuple[State, Value]] = field(default_factory=lambda: [])
    breaks: list[State] = field(default_factory=lambda: [])
    continues: list[State] = field(default_factory=lambda: [])
    took_rest: bool = False
    unsure: bool = False

    def absorb(self, other: Outcome) -> None:
        """Add the other exits of an outcome."""
        self.returns += other.returns
        self.breaks += other.breaks
        self.continues += other.continues
        self.unsure |= other.unsure

    def then(self, other: Outcome) -> None:
        """Add the outcome of the statements that follow."""
        self.absorb(other)
        self.normal = other.normal


def joined(states: Iterable[State], how: Callable[[Value, Value], Value] = join) -> State | None:
    """The state that covers all of them; None if there are none."""
    result: State | None = None
    for state in states:
        result = state.fork() if result is None else _pair(result, state, how)
    return result


def changed(before: State, *after: State) -> dict[Cell, None]:
    """The cells that differ between a state and any of the others, in a deterministic order."""
    left = before.cells
    keys: dict[Cell, None] = {}
    for each in after:
        right = each.cells
        keys |= {key: None for key, content in right.items() if left.get(key) is not content}
        keys |= {key: None for key in left if key not in right}
    return keys


def _pair(left: State, right: State, how: Callable[[Value, Value], Value]) -> State:
    for key in changed(left, right):
        left.cells[key] = join_content(left.content(key), right.content(key), how)
        if key in right.written and key not in left.written:
            left.written[key] = right.written[key]
    return left


def join_content(a: Any, b: Any, how: Callable[[Value, Value], Value] = join) -> Content:
    if a is UNDEFINED or b is UNDEFINED:
        return a if a is b else MAYBE
    if isinstance(a, Value) and isinstance(b, Value):
        return how(a, b)
    if isinstance(a, Items) and isinstance(b, Items):
        if a == b:
            return a
        if a.known is not None and b.known is not None and len(a.known) == len(b.known):
            return Items(tuple(how(x, y) for x, y in zip(a.known, b.known, strict=True)))
        return Items(None, common(a, b))
    if isinstance(a, Entries) and isinstance(b, Entries):
        if a == b:
            return a
        theirs: dict[object, Value] = {(key.__class__, key): held for key, held in b.known}
        other = UNDEFINED if b.closed else UNKNOWN
        pairs = ((key, held, theirs.get((key.__class__, key), other)) for key, held in a.known)
        both = tuple((key, how(held, now)) for key, held, now in pairs if now is not UNDEFINED)
        return Entries(both, a.closed and b.closed and len(both) == len(a.known) == len(b.known))
    return UNKNOWN


def common(*contents: Items) -> Value:
    """What the elements of all lists have in common."""
    result: Value | None = None
    for content in contents:
        for value in content.known if content.known is not None else (content.element,):
            result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result
