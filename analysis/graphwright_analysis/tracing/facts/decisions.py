"""How each `if`, loop and conditional expression was decided, visit by visit: by the graph, by Python, or not known.

For the editor to show; the rules judge the other facts, which tell of what is staged and what fails alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax import Block
from graphwright_analysis.values.domain import Value

from .loops import LoopControl
from .python_use import Unconverted

Decided = gast.If | gast.IfExp | gast.For | gast.While

GRAPH: Final = "graph"
PYTHON: Final = "Python"
EAGER: Final = "eager"
REFUSED: Final = "refused"
OPEN: Final = "open"
DecisionVerdict = Literal["graph", "Python", "eager", "refused", "open"]


@immutable
class Decision:
    """What one visit saw: `verdict` is one of this module's constants, `value` what was tested or iterated.

    `OPEN` says that the value isn't known, `EAGER` that no graph was being made, and `REFUSED` that a tensor is
    tested or iterated where nothing is converted. `over` is what a staged loop iterates, `turns` how often a Python
    loop's body is copied at most, and `why` why the function stays Python, where it does.
    """

    verdict: DecisionVerdict
    value: Value
    over: LoopControl | None = None
    turns: int | None = None
    why: Unconverted | None = None


@dataclass(slots=True)
class Decisions:
    """All visits of one construct, and the block that it stands in."""

    block: Block
    seen: dict[Decision, None] = field(default_factory=lambda: {})

    def __iter__(self) -> Iterator[Decision]:
        return iter(self.seen)
