"""What `tf.function` is applied to, and how often what it makes is called."""

from __future__ import annotations

from dataclasses import dataclass

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.tracing.state import Place

from .fact import Fact


@dataclass(frozen=True, slots=True)
class FunctionMade(Fact):
    """`tf.function` was applied at `place` some number of times; `calls` counts each result's calls.

    `loop` is the loop around the making, where there is one.
    """

    place: Place
    statement: Place
    name: str
    calls: tuple[int, ...]
    loop: Place | None
    decorated: bool
    confidence: Confidence = Confidence.CERTAIN
