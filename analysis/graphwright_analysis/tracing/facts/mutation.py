"""Python state that a trace changes, or that changes after a trace has read it."""

from __future__ import annotations

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import Value

from .constructs import ConstructKind
from .fact import Fact
from .place import Place


@immutable
class StateChanged(Fact):
    """While tracing, a Python value that outlives the trace is updated from its earlier value (a counter, a log).

    `target` is the target as written in the source, `how` is `=`, `+=` or the name of a list method.
    """

    place: Place
    target: str
    how: str
    before: Value
    created: Place | None
    statement: Place | None
    operand: Place | None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class ClassExtended(Fact):
    """An attribute is stored on a TensorFlow class, such as `tf.Tensor`; `*` is an attribute of unknown name."""

    place: Place
    name: str
    confidence: Confidence = Confidence.CERTAIN


@immutable
class TensorLeaked(Fact):
    """A tensor of a trace is stored in something that outlives it; `read` is where code reads it there.

    `carried` is True if the trace itself begins with the earlier value of that place, `by_keras` if Keras traced.
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


@immutable
class VariableReplaced(Fact):
    """A name or attribute with a `tf.Variable` is bound to a value computed from it."""

    place: Place
    statement: Place | None
    target: str
    how: str
    operand: Place | None
    created: Place | None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class ArgumentChanged(Fact):
    """A list or dict passed to a traced function has different contents when the trace ends."""

    place: Place
    parameter: str
    kind: str
    how: str
    defined: Place | None
    first: Place | None
    """The first statement of the function."""
    direct: bool
    """True if it is the argument itself, rather than something in it."""
    passing: bool = False
    """True if nothing refers to it after the call."""
    confidence: Confidence = Confidence.CERTAIN


@immutable
class HiddenChange(Fact):
    """A function called inside a staged construct changes something created outside of it."""

    place: Place
    target: str
    value: Value
    construct: Place
    construct_kind: ConstructKind
    confidence: Confidence = Confidence.CERTAIN


@immutable
class DynamicKeyStored(Fact):
    """A list or dict created outside of a staged construct is set inside under a computed key."""

    place: Place
    target: str
    kind: str
    construct: Place
    construct_kind: ConstructKind
    created: Place | None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class CaptureStale(Fact):
    """A trace used a Python value from outside, and is reused after that value has changed."""

    place: Place
    target: str
    then: Value
    now: Value
    rebound: Place | None
    created: Place | None
    confidence: Confidence = Confidence.CERTAIN
