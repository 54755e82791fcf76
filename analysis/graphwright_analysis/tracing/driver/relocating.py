"""Facts with their places moved to other blocks: from what was traced to the text as it is, and to whole classes.

While tracing, a place is known by the smallest piece of text that it depends on, so that it stays the same when
something else changes. Who reads facts wants to see all of the text around.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax import Block, Module, Moves
from graphwright_analysis.tracing.facts import Fact
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.links import ToldIn
from graphwright_analysis.values.domain import Value

Move = Callable[[Place], Place]


@immutable
class ToldInFiles(Mapping[Block, tuple[Block, Moves, int]]):
    """For a file's own blocks what the file says, for those of others what is known of them."""

    module: Module
    own: ToldIn
    others: ToldIn

    def __getitem__(self, block: Block) -> tuple[Block, Moves, int]:
        found = self.own.get(block)
        if found is None and block in self.module.starts_of:
            raise KeyError(block)
        return self.others[block] if found is None else found

    def __iter__(self) -> Iterator[Block]:
        return iter({*self.own, *(self.others.keys() - self.module.starts_of.keys())})

    def __len__(self) -> int:
        return sum(1 for _ in self)


def relocated(fact: Any, move: Move) -> Any:
    """A fact, or something in one, with all its places moved. What values know of places stays."""
    if isinstance(fact, Place):
        return move(fact)
    if type(fact) is tuple:
        several = cast("tuple[Any, ...]", fact)
        return tuple(relocated(each, move) for each in several)
    kind: type[Any] = type(fact)  # pyright: ignore[reportUnknownVariableType]
    changed = {
        name: after
        for name in _fields(kind)
        if (after := relocated(before := getattr(fact, name), move)) is not before and after != before
    }
    return replace(fact, **changed) if changed else fact


def blocks_in(facts: Iterable[Fact]) -> frozenset[Block]:
    """The blocks that the facts have places in."""
    return frozenset(place.block for fact in facts for place in _places(fact))


def _places(fact: Any) -> Iterator[Place]:
    if isinstance(fact, Place):
        yield fact
    elif type(fact) is tuple:
        for each in cast("tuple[Any, ...]", fact):
            yield from _places(each)
    else:
        kind: type[Any] = type(fact)  # pyright: ignore[reportUnknownVariableType]
        for name in _fields(kind):
            yield from _places(getattr(fact, name))


@functools.cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    """The fields in which a fact of this kind may have places, at whatever depth."""
    if not is_dataclass(kind) or issubclass(kind, Value):
        return ()
    return tuple(field.name for field in fields(kind) if not _PLAIN.issuperset(_WORD.findall(str(field.type))))


_WORD = re.compile(r"\w+")
_PLAIN = frozenset({"None", "bool", "int", "str", "tuple", "Confidence", "Converter", "Value"})
"""What annotations are made of that have no places in them."""
