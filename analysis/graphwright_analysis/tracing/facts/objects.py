"""TensorArrays, Variables and gradient tapes."""

from __future__ import annotations

from typing import Literal

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import TensorArray, Value
from graphwright_analysis.values.shapes import Shape

from .fact import Fact
from .place import Place


@immutable
class ArrayWritten(Fact):
    """Graph code writes elements to a TensorArray.

    `index` is the index, if known; `dtype` and `shape` are those of one element. `over` is the loop whose counter is
    the index, and `turns` its number of iterations, or None if unknown. `earlier` is where the same version of the
    array was written before.
    """

    place: Place
    array: TensorArray
    method: str
    index: int | None
    dtype: str | None
    shape: Shape
    over: Place | None
    turns: int | None
    earlier: Place | None
    made: Place | None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class ArrayCrossed(Fact):
    """A method of a TensorArray is called after a traced function returned it, or in one that captures it.

    `place` is the call.
    """

    place: Place
    method: str
    how: Literal["returned", "captured"]
    boundary: Place | None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class StateMade(Fact):
    """A variable, or an object that owns variables, is created while tracing.

    `function` is the traced function; `again` is True if it had been traced before without creating this one. `hoist`
    is the line of the function before which it could be created, if it needs nothing from inside. `maker` is the
    project's class or function that creates it, if `place` is a call of that.
    """

    place: Place
    statement: Place
    name: str
    again: bool
    in_loop: bool
    hoist: Place | None
    maker: str = ""
    confidence: Confidence = Confidence.CERTAIN


@immutable
class LossGiven(Fact):
    """A loss or metric of the project returns something other than a float tensor.

    `place` is where it returns, `used` the call of the model's method; `trains` is True if it trains the model.
    """

    place: Place
    name: str
    value: Value
    trains: bool
    used: Place
    confidence: Confidence = Confidence.CERTAIN


@immutable
class GradientEnded(Fact):
    """A loss depends on variables only through an operation that has no gradient, or whose `result` has none.

    `used` is the call of the model's method that trains it, or of the tape's method if it is `taped`.
    """

    place: Place
    operation: str
    result: Value
    used: Place
    taped: bool = False
    confidence: Confidence = Confidence.CERTAIN


@immutable
class WeightPassed(Fact):
    """A traced function, by its name, is called in a graph with a Keras variable as an argument."""

    place: Place
    name: str
    confidence: Confidence = Confidence.CERTAIN


@immutable
class TapeUsed(Fact):
    """Graph code computes a gradient with a tape.

    `earlier` is where one was computed with it before; `inside` is True if the tape is still recording.
    """

    place: Place
    tape: Place
    persistent: bool
    earlier: Place | None
    inside: bool
    confidence: Confidence = Confidence.CERTAIN


@immutable
class SnapshotUsed(Fact):
    """An optimizer receives the variables of a Keras model that were read, at `place`, before it had any."""

    place: Place
    applied: Place
    symbol: str
    confidence: Confidence = Confidence.CERTAIN


@immutable
class SourceUnwatched(Fact):
    """A gradient is computed with respect to a tensor that the tape doesn't watch.

    `why` is `unwatched`, `integer` or `integer variable`, or `empty` for Variables, if the tape recorded nothing that
    uses any; `body` is the first statement that the tape records.
    """

    place: Place
    symbol: str
    tape: str
    why: str
    dtype: str | None
    opened: Place
    body: Place | None
    confidence: Confidence = Confidence.CERTAIN
