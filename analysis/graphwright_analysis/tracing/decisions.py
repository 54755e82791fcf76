"""How each `if`, loop and conditional expression was decided, visit by visit: by the graph, by Python, or not known.

For the editor to show; the rules judge the facts, which tell of what is staged and what fails alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import gast

from graphwright_analysis.syntax import Block
from graphwright_analysis.values.domain import (
    Array,
    Bound,
    Class,
    Constant,
    DType,
    Function,
    Object,
    Scalar,
    StaticShape,
    Tensor,
    Traced,
    Tuple,
    Value,
    Variable,
)
from graphwright_analysis.values.domain import Sequence as Elements

from .facts import Unconverted

if TYPE_CHECKING:
    from .run import Frame, Run

Decided = gast.If | gast.IfExp | gast.For | gast.While

GRAPH = "graph"
PYTHON = "Python"
EAGER = "eager"
REFUSED = "refused"
OPEN = "open"


@dataclass(frozen=True, slots=True)
class Decision:
    """What one visit saw: `verdict` is one of this module's constants, `value` what was tested or iterated.

    `OPEN` says that the value isn't known, `EAGER` that no graph was being made, and `REFUSED` that a tensor is
    tested or iterated where nothing is converted. `over` is what a staged loop iterates, `turns` how often a Python
    loop's body is copied at most, and `why` why the function stays Python, where it does.
    """

    verdict: str
    value: Value
    over: str = ""
    turns: int | None = None
    why: Unconverted | None = None


@dataclass(slots=True)
class Decisions:
    """All visits of one construct, and the block that it stands in."""

    block: Block
    seen: dict[Decision, None] = field(default_factory=dict[Decision, None])

    def __iter__(self) -> Iterator[Decision]:
        return iter(self.seen)


def note(run: Run, frame: Frame, node: Decided, value: Value, over: str = "", turns: int | None = None) -> None:
    """Note what a visit has decided; `over` is given where it is the graph that decides."""
    found = run.seen.decided.get(node)
    if found is None:
        found = run.seen.decided[node] = Decisions(frame.block)
    verdict = _verdict(run, frame, value, over)
    found.seen.setdefault(Decision(verdict, value, over, turns if verdict == PYTHON else None, frame.unconverted))


def _verdict(run: Run, frame: Frame, value: Value, over: str) -> str:
    if not run.graph:
        return EAGER
    if over:
        return GRAPH
    if isinstance(value, (Tensor, Variable)):
        # One that was made outside holds a number, and Python may look at it.
        return OPEN if isinstance(value, Tensor) and value.eager else REFUSED if frame.unconverted else OPEN
    return PYTHON if isinstance(value, _PYTHON) else OPEN


_PYTHON = (Array, Bound, Class, Constant, DType, Elements, Function, Object, Scalar, StaticShape, Traced, Tuple)
"""Values that are surely no tensors, whatever else is known of them."""
