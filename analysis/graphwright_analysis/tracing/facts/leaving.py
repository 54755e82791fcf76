"""Jumps out of functions and loops in a graph: `return`, `break` and `raise`."""

from __future__ import annotations

from typing import Literal

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import Value

from .fact import Fact
from .loops import LoopControl
from .place import Place


@immutable
class ReturnMissing(Fact):
    """A staged `if` has a `return`, and a branch without one: `body`, `orelse` or, if neither suffices, `both`.

    If one branch always returns, the statements after the `if` in the same list count as the other branch.
    """

    place: Place
    statement: Place
    side: Literal["body", "orelse", "both"]
    returned: Place
    value: Value | None = None
    """The returned value, if there is only one."""
    confidence: Confidence = Confidence.CERTAIN


@immutable
class ReturnInLoop(Fact):
    """A `return` in a staged loop that not every iteration reaches; over a dataset or iterator, any `return`.

    One that every iteration reaches is `unfit` if TensorFlow can't create a placeholder for the returned value.
    """

    place: Place
    loop: Place
    over: LoopControl
    condition: Place | None
    confidence: Confidence = Confidence.CERTAIN
    unfit: bool = False
    value: Value | None = None


@immutable
class PythonLoopLeft(Fact):
    """A tensor decides whether a Python loop continues, by `break`, `return` or its own condition (`test`)."""

    loop: Place
    kind: Literal["for", "while"]
    how: Literal["break", "return", "test"]
    place: Place
    confidence: Confidence = Confidence.CERTAIN


@immutable
class RaiseTraced(Fact):
    """A `raise` in a staged branch or loop is traced, so it always raises.

    `alone` is True if it is the only statement of the `if` at `statement`.
    """

    place: Place
    construct: Place
    statement: Place | None
    alone: bool
    message: Place | None
    caught: Place | None = None
    """The handler around the construct that runs then, whatever the tensors hold."""
    confidence: Confidence = Confidence.CERTAIN
