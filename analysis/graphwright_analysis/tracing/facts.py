"""What a trace saw, as plain facts for the rules to judge.

A fact states what happens, never whether that's good.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.values.domain import Value

from .state import Place


@dataclass(frozen=True, slots=True)
class BranchName:
    """One name that a staged branch sets: what it is before, after each side, and behind the whole.

    `body` or `orelse` is `UNDEFINED` where that side leaves the name unbound.
    """

    symbol: str
    before: Value
    body: Value
    orelse: Value
    body_place: Place | None = None
    orelse_place: Place | None = None
    read: Place | None = None
    deleted: Place | None = None


@dataclass(frozen=True, slots=True)
class StagedBranch:
    """An `if` or conditional expression that becomes part of the graph.

    `names` are those that must agree. The value that a function returns or a conditional expression gives
    is listed under `RETURNED` or `RESULT`.
    """

    place: Place
    statement: Place
    names: tuple[BranchName, ...]
    confidence: Confidence = Confidence.CERTAIN


RETURNED = "<returned>"
RESULT = "<result>"


@dataclass(frozen=True, slots=True)
class LoopName:
    """One name that a staged loop carries: what it is before and after one turn."""

    symbol: str
    before: Value
    after: Value
    before_place: Place | None = None
    after_place: Place | None = None


@dataclass(frozen=True, slots=True)
class StagedLoop:
    """A `for` or `while` that becomes part of the graph; `over` says what is iterated (`tensor`, `range`...)."""

    place: Place
    over: str
    names: tuple[LoopName, ...]
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class ListChanged:
    """A Python list made outside a staged branch, loop or mapped function changes its length inside."""

    place: Place
    how: str
    symbol: str | None
    created: Place | None
    construct: Place
    construct_kind: str
    element: Value
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class FunctionMade:
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


Fact = StagedBranch | StagedLoop | ListChanged | FunctionMade
