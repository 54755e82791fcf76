"""Ways out of functions and loops that meet the graph: `return`, `break` and `raise`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.values.domain import Value

from .fact import Fact
from .loops import LoopControl
from .place import Place


@dataclass(frozen=True, slots=True)
class ReturnMissing(Fact):
    """A staged `if` has a `return`, and a side that ends without one: `body`, `orelse` or, in vain, `both`.

    What follows the `if` in the same list of statements counts as the other side where one side surely returns.
    """

    place: Place
    statement: Place
    side: Literal["body", "orelse", "both"]
    returned: Place
    value: Value | None = None
    """What is returned where something is, if there is one such value."""
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class ReturnInLoop(Fact):
    """A `return` in a staged loop that not every turn comes to; over a dataset or iterator, any `return` at all.

    One that every turn comes to is `unfit` if TensorFlow can't stand in for what it returns.
    """

    place: Place
    loop: Place
    over: LoopControl
    condition: Place | None
    confidence: Confidence = Confidence.CERTAIN
    unfit: bool = False
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class PythonLoopLeft(Fact):
    """Whether a Python loop goes on depends on a tensor, by a `break`, a `return` or its own condition (`test`)."""

    loop: Place
    kind: Literal["for", "while"]
    how: Literal["break", "return", "test"]
    place: Place
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class RaiseTraced(Fact):
    """A `raise` that tracing comes to inside a staged branch or loop, so that it always raises.

    `alone` says that it is all that the `if` at `statement` has.
    """

    place: Place
    construct: Place
    statement: Place | None
    alone: bool
    message: Place | None
    confidence: Confidence = Confidence.CERTAIN
