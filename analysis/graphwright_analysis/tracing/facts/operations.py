"""Operations that TensorFlow or Python surely refuses."""

from __future__ import annotations

from typing import Literal

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import Value

from .fact import Fact
from .place import Place


@immutable
class Operand:
    """One side of an operation; `bound` is where its name got the value, if the expression is a name."""

    value: Value
    place: Place
    bound: Place | None = None


RefusalKind = Literal["dtype", "shape", "index", "assigned dtype", "assigned shape"]


@immutable
class OperationRefused(Fact):
    """TensorFlow refuses an operation on these values.

    `kind` is `dtype` or `shape`, or `index` for an index that lies outside of a static shape; `operation` is an
    operator (`+`), a function's dotted name, or `[]`; of a Variable's new value they are `assigned dtype` or `assigned
    shape`, and the method. `words` says in what the sides differ. `branch` is the condition of the innermost branch of
    the graph around. `eager` says that no graph is being made: TensorFlow refuses it where it is computed.
    """

    place: Place
    operation: str
    kind: RefusalKind
    first: Operand
    second: Operand | None
    words: str
    branch: Place | None = None
    eager: bool = False
    confidence: Confidence = Confidence.CERTAIN

    @property
    def cannot(self) -> str:
        """What TensorFlow can't do with the operation."""
        return "can't compute" if self.eager else "can't build"


@immutable
class SizeMissing(Fact):
    """A size of a static shape that is None is used as a number; `source` is the expression that gave it.

    `stage` is when the code runs: while TensorFlow traces it, in a `build` that Keras runs, or in eager code that
    connects the layers of a model.
    """

    place: Place
    operation: str
    axis: int | None
    source: Place
    stage: Literal["trace", "build", "model"] = "trace"
    confidence: Confidence = Confidence.CERTAIN


@immutable
class ShapeMissing(Fact):
    """A Keras model is fitted to tensors of which TensorFlow doesn't know the rank.

    `place` is what gave such a tensor, `maker` the name of that, and `method` of the model's, called at `fitted`.
    """

    place: Place
    maker: str
    method: str
    fitted: Place
    confidence: Confidence = Confidence.CERTAIN


@immutable
class ItemAssigned(Fact):
    """An element of what is a tensor, or may be one, is assigned to.

    `name` is None where the owner is no plain name; `assigned` is None for an augmented assignment.
    """

    place: Place
    name: str | None
    owner: Value
    key: Value
    key_place: Place
    assigned: Value
    assigned_place: Place | None
    statement: Place
    confidence: Confidence = Confidence.CERTAIN
