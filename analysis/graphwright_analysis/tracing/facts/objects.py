"""TensorArrays, Variables and gradient tapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.values.domain import TensorArray, Value
from graphwright_analysis.values.shapes import Shape

from .fact import Fact
from .place import Place


@dataclass(frozen=True, slots=True)
class ArrayWritten(Fact):
    """Elements are put into a TensorArray in graph code.

    `index` is where one is written, where that is known; `dtype` and `shape` are those of one element.
    `over` is the loop whose counter is the index, and `turns` how many it makes, None where that isn't known.
    `earlier` is where the same version of the array was written before.
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


@dataclass(frozen=True, slots=True)
class ArrayCrossed(Fact):
    """A method of a TensorArray is called on the other side of a traced function's boundary.

    `place` is the call.
    """

    place: Place
    method: str
    how: Literal["returned", "captured"]
    boundary: Place | None
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class StateMade(Fact):
    """An object that owns variables is made while tracing, or a variable itself.

    `function` is the traced function; `again` says that it had been traced before, when it didn't make this one.
    `hoist` is the line of the function it could be made in front of, where it needs nothing from inside.
    `maker` is the project's class or function that makes it, where `place` is a call of that.
    """

    place: Place
    statement: Place
    name: str
    again: bool
    in_loop: bool
    hoist: Place | None
    maker: str = ""
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class LossGiven(Fact):
    """What a loss or metric of the project gives, which is no float tensor.

    `place` is where it is returned, `used` the call of the model's method, and `trains` says that the model is trained
    by it.
    """

    place: Place
    name: str
    value: Value
    trains: bool
    used: Place
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class WeightPassed(Fact):
    """A traced function, by its name, is called in a graph with a variable of Keras' among its arguments."""

    place: Place
    name: str
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class TapeUsed(Fact):
    """A gradient is asked of a tape in graph code.

    `earlier` is where one was asked of it before, `inside` says that the tape is still recording.
    """

    place: Place
    tape: Place
    persistent: bool
    earlier: Place | None
    inside: bool
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class SnapshotUsed(Fact):
    """An optimizer is given the variables of a Keras model as they were read, at `place`, before it had any."""

    place: Place
    applied: Place
    symbol: str
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class SourceUnwatched(Fact):
    """A gradient is asked with respect to a tensor that the tape doesn't follow.

    `why` is `unwatched` or `integer`; `body` is the first statement that the tape records.
    """

    place: Place
    symbol: str
    tape: str
    why: str
    dtype: str | None
    opened: Place
    body: Place | None
    confidence: Confidence = Confidence.CERTAIN
