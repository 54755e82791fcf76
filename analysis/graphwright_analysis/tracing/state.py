"""The state of an abstract trace: what every name, attribute and collection holds at one point of the program.

One flat mapping, so that a branch forks it in one copy and a join compares cell by cell.
It knows nothing of statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from graphwright_analysis.syntax import Block
from graphwright_analysis.text import Range
from graphwright_analysis.values.domain import MAYBE, UNDEFINED, UNKNOWN, Entries, Items, Value, join

Cell = tuple[int, str]
Content = Value | Items | Entries

CONTENT = "[]"
"""The key under which a list's or dict's content is kept."""


@dataclass(frozen=True, slots=True)
class Place:
    """A span in a block; absolute only once the block's own place in the file is known.

    For a place that binds a name, `value` is the span of the expression that it is bound to.
    """

    block: Block
    range: Range
    value: Range | None = None


@dataclass(slots=True)
class State:
    cells: dict[Cell, Content] = field(default_factory=dict[Cell, Content])
    written: dict[Cell, Place] = field(default_factory=dict[Cell, Place])

    def fork(self) -> State:
        return State(dict(self.cells), dict(self.written))

    def value(self, owner: int, name: str) -> Value:
        found = self.cells.get((owner, name), UNDEFINED)
        return found if isinstance(found, Value) else UNKNOWN

    def set(self, owner: int, name: str, value: Value, place: Place | None = None) -> None:
        self.cells[owner, name] = value
        if place is not None:
            self.written[owner, name] = place

    def delete(self, owner: int, name: str) -> None:
        self.cells.pop((owner, name), None)

    def items(self, owner: int) -> Items | None:
        found = self.cells.get((owner, CONTENT))
        return found if isinstance(found, Items) else None

    def entries(self, owner: int) -> Entries | None:
        found = self.cells.get((owner, CONTENT))
        return found if isinstance(found, Entries) else None

    def set_content(self, owner: int, content: Items | Entries) -> None:
        self.cells[owner, CONTENT] = content


@dataclass(slots=True)
class Outcome:
    """How statements ended: `normal` is the state behind the last, None if control never gets there.

    `took_rest` says that what follows in the same list was run as well.
    """

    normal: State | None
    returns: list[tuple[State, Value]] = field(default_factory=list[tuple[State, Value]])
    breaks: list[State] = field(default_factory=list[State])
    continues: list[State] = field(default_factory=list[State])
    took_rest: bool = False

    def absorb(self, other: Outcome) -> None:
        """Take over the ways out that another outcome had."""
        self.returns += other.returns
        self.breaks += other.breaks
        self.continues += other.continues


def joined(states: Iterable[State], how: Callable[[Value, Value], Value] = join) -> State | None:
    """The one state that all of them fit, or None if there is none."""
    result: State | None = None
    for state in states:
        result = state.fork() if result is None else _pair(result, state, how)
    return result


def changed(before: State, after: State) -> set[Cell]:
    """The cells that differ between two states."""
    left, right = before.cells, after.cells
    keys = {key for key, content in right.items() if left.get(key) is not content}
    keys.update(key for key in left if key not in right)
    return keys


def _pair(left: State, right: State, how: Callable[[Value, Value], Value]) -> State:
    for key in changed(left, right):
        left.cells[key] = join_content(left.cells.get(key, UNDEFINED), right.cells.get(key, UNDEFINED), how)
        if left.cells[key] is UNDEFINED:
            del left.cells[key]
        if key in right.written and key not in left.written:
            left.written[key] = right.written[key]
    return left


def join_content(a: Any, b: Any, how: Callable[[Value, Value], Value] = join) -> Content:
    if a is UNDEFINED or b is UNDEFINED:
        return a if a is b else MAYBE
    if isinstance(a, Items) and isinstance(b, Items):
        if a == b:
            return a
        if a.known is not None and b.known is not None and len(a.known) == len(b.known):
            return Items(tuple(how(x, y) for x, y in zip(a.known, b.known, strict=True)))
        return Items(None, common(a, b))
    if isinstance(a, Entries) and isinstance(b, Entries):
        if a == b:
            return a
        keys = [key for key, _ in a.known if b.get(key) is not UNDEFINED]
        same = len(keys) == len(a.known) == len(b.known)
        return Entries(tuple((key, how(a.get(key), b.get(key))) for key in keys), same and a.closed and b.closed)
    if isinstance(a, Value) and isinstance(b, Value):
        return how(a, b)
    return UNKNOWN


def common(*contents: Items) -> Value:
    """What all elements of the lists have in common."""
    result: Value | None = None
    for content in contents:
        for value in content.known if content.known is not None else (content.element,):
            result = value if result is None else join(result, value)
    return UNKNOWN if result is None else result
