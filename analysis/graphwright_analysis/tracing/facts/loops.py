"""Loops that become part of the graph."""

from __future__ import annotations

from typing import Literal

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import Value

from .fact import Fact
from .operations import OperationRefused
from .place import Place

LoopSource = Literal["tensor", "range", "dataset", "iterator"]
"""What a `for` in the graph iterates."""
LoopControl = Literal[LoopSource, "condition"]
"""What a `for` or `while` in the graph goes by; a `while` goes by its condition."""
LoopFunction = Literal[
    "tf.while_loop", "tf.scan", "tf.foldl", "tf.foldr", "tf.map_fn", "Dataset.scan", "Dataset.reduce"
]
"""A function whose call makes a loop in the graph."""


@immutable
class LoopName:
    """One name that a staged loop carries: what it is before and after one turn.

    `invariant` is what `set_loop_options` says of its shape: a `StaticShape`, or unknown.
    """

    symbol: str
    before: Value
    after: Value
    before_place: Place | None = None
    after_place: Place | None = None
    invariant: Value | None = None


@immutable
class StagedLoop(Fact):
    """A `for` or `while` that becomes part of the graph, or a call that makes a loop of it: what is it `over`?"""

    place: Place
    over: LoopControl | LoopFunction
    names: tuple[LoopName, ...]
    confidence: Confidence = Confidence.CERTAIN
    first: Place | None = None
    """The first statement of the body."""
    refused_next: OperationRefused | None = None
    """What TensorFlow refuses in the second turn only, because the first one leaves tensors of other shapes."""

    @property
    def compares_shapes(self) -> bool:
        """Whether shapes must stay as they are from turn to turn."""
        if self.over in ("dataset", "Dataset.scan", "Dataset.reduce"):
            return False
        return "." in self.over or self.converter is Converter.AUTOGRAPH

    @property
    def declares(self) -> str | None:
        """How it is told that a shape changes in it; None where nothing tells that."""
        if self.over == "tf.while_loop":
            return "shape_invariants=..."
        return None if self.over.startswith("tf.") else "set_loop_options(shape_invariants=...)"


@immutable
class TargetLost(Fact):
    """What a `construct` in the body of a loop assigns to the loop variable is read after the loop, and lost."""

    place: Place
    name: str
    target: Place
    construct: Place
    confidence: Confidence = Confidence.CERTAIN


@immutable
class StatesChanged(Fact):
    """A cell that Keras runs in a loop, by its name, returns another number of states than its `state_size` has.

    With `of_sizes`, they are sizes of a state instead of numbers of states.
    """

    place: Place
    name: str
    returned: int
    wanted: int
    of_sizes: bool = False
    confidence: Confidence = Confidence.CERTAIN


@immutable
class LoopOptionsMisplaced(Fact):
    """`set_loop_options` stands in a staged loop's body, but isn't its first statement."""

    place: Place
    statement: Place
    loop: Place
    first: Place
    confidence: Confidence = Confidence.CERTAIN
