"""Where a statement of the user's own function stands, as long as constructs are written as pairs: see `pairs`.

It writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes import loops
from graphwright.passes.exits import ExitFrame
from graphwright.passes.jumps import jumps_out

if TYPE_CHECKING:
    from graphwright.passes.facts import Facts
    from graphwright.passes.unit import Unit


@dataclass(frozen=True)
class BodyPlace:
    """Where a statement of the user's function stands: in which body, and what follows it there after its block."""

    following: tuple[Any, ...] = ()
    around: PythonLoop | PythonBody | None = None
    caught: bool = False
    """Whether what is raised there may be caught by the function itself."""
    told: tuple[tuple[str, str], ...] = ()
    """Jumps that a `finally` may override, with the variables that tell it that they are being taken."""

    def telling(self, jump: str) -> str:
        """The beginning of the assignment that tells of a jump; nothing if no `finally` may override it."""
        return "".join(f"{name} = " for known, name in self.told if known == jump)

    def in_loop(self) -> tuple[tuple[str, str], ...]:
        """What is told in a loop, whose own jumps are its own."""
        return tuple((jump, name) for jump, name in self.told if jump == "return")

    def inside(self, rest: Sequence[gast.stmt]) -> BodyPlace:
        """The place of a block in a branch that the `rest` of its own block follows."""
        return replace(self, following=(*rest, *self.following))

    def after(self, rest: Sequence[gast.stmt]) -> tuple[Any, ...]:
        """What follows a statement that the `rest` of its block follows."""
        return (*rest, *self.following)


@dataclass(frozen=True)
class PythonLoop:
    """A loop of Python's that a tensor may leave: `source` is its iterator or its test, `rest` follows it."""

    staged: loops.LoopCall
    source: str
    rest: tuple[Any, ...]
    outer: BodyPlace


@dataclass(frozen=True)
class PythonBody:
    """The body of a `with` or `try` that a tensor may leave: `done` says that its rest has run as a function."""

    frame: ExitFrame
    targets: tuple[str, ...]
    done: str


def place_in(unit: Unit, facts: Facts) -> BodyPlace | None:
    """Where a function's body begins; None if it is written without pairs.

    What follows an early end is written once more for the graph: with many of them in a long function, that is too
    much.
    """
    if not unit.pairs:
        return None
    statements = [part for part in facts.statements if isinstance(part, gast.stmt)]
    ends = (len(statements) - n for n, part in enumerate(statements) if isinstance(part, gast.If) and jumps_out([part]))
    return BodyPlace() if sum(ends) <= MOST_COPIES * len(statements) else None


MOST_COPIES = 32
"""How often a statement is copied, on average, for the graph that an early end before it may begin."""


def reserved(unit: Unit, wanted: str) -> str:
    """A name that nothing else in the unit gets."""
    name: str = unit.fresh(wanted)
    unit.names.add(name)
    return name
