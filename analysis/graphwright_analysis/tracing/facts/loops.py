"""Loops that become part of the graph."""

from __future__ import annotations

from dataclasses import dataclass

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.tracing.state import Place
from graphwright_analysis.values.domain import Value

from .fact import Fact


@dataclass(frozen=True, slots=True)
class LoopName:
    """One name that a staged loop carries: what it is before and after one turn."""

    symbol: str
    before: Value
    after: Value
    before_place: Place | None = None
    after_place: Place | None = None


@dataclass(frozen=True, slots=True)
class StagedLoop(Fact):
    """A `for` or `while` that becomes part of the graph; `over` says what is iterated (`tensor`, `range`...)."""

    place: Place
    over: str
    names: tuple[LoopName, ...]
    confidence: Confidence = Confidence.CERTAIN
