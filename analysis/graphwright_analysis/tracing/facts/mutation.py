"""Python state that a trace changes, or that changes behind its back."""

from __future__ import annotations

from dataclasses import dataclass

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.values.domain import Value

from .constructs import ConstructKind
from .fact import Fact
from .place import Place


@dataclass(frozen=True, slots=True)
class StateChanged(Fact):
    """While tracing, a Python value that lives on outside is made from what was there before (a counter, a log).

    `target` is what is written as it stands in the source, `how` is `=`, `+=` or the name of a list's method.
    """

    place: Place
    target: str
    how: str
    before: Value
    created: Place | None
    statement: Place | None
    operand: Place | None
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class ClassExtended(Fact):
    """An attribute is stored on a class of TensorFlow's, such as `tf.Tensor`; `*` is one whose name isn't known."""

    place: Place
    name: str
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class TensorLeaked(Fact):
    """A tensor of a trace is left in what lives on outside; `read` is where somebody meets it there.

    `carried` says that the trace itself starts from what the place held before, `by_keras` that Keras has traced.
    """

    place: Place
    target: str
    how: str
    before: Value
    read: Place | None
    carried: bool
    created: Place | None
    statement: Place | None = None
    operand: Place | None = None
    by_keras: bool = False
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class VariableReplaced(Fact):
    """A name or attribute that holds a `tf.Variable` is bound to something else that is made from it."""

    place: Place
    statement: Place | None
    target: str
    how: str
    operand: Place | None
    created: Place | None
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class ArgumentChanged(Fact):
    """A list or dict that came as an argument of a traced function has other contents when its trace ends."""

    place: Place
    parameter: str
    kind: str
    how: str
    defined: Place | None
    first: Place | None
    """The first statement of the function."""
    direct: bool
    """Whether it is the argument itself, and not something in it."""
    passing: bool = False
    """Whether nobody has it any more once the call is over."""
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class HiddenChange(Fact):
    """What was made outside a staged construct is changed by a function that is called inside it."""

    place: Place
    target: str
    value: Value
    construct: Place
    construct_kind: ConstructKind
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class DynamicKeyStored(Fact):
    """A list or dict made outside a staged construct is set inside under a key that isn't written out."""

    place: Place
    target: str
    kind: str
    construct: Place
    construct_kind: ConstructKind
    created: Place | None
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class CaptureStale(Fact):
    """A trace used a Python value from outside, and is used again when that is another one."""

    place: Place
    target: str
    then: Value
    now: Value
    rebound: Place | None
    created: Place | None
    confidence: Confidence = Confidence.CERTAIN
