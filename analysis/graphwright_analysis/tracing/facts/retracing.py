"""Facts about applying `tf.function` and about retracing.

The trace records one event for each occurrence. When it ends, `functions.retracing` summarizes the events as the facts
that rules judge.
"""

from __future__ import annotations

from enum import Enum
from typing import Literal

import gast

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import Traced, Value

from .fact import Fact
from .place import Place


class Event(Fact):
    """Something that happened once; `ordinal` distinguishes repetitions. No rule judges it directly."""

    __slots__ = ()


@immutable
class TracedMade(Event):
    """`tf.function` was applied, by the function `maker`; `loops` are the enclosing loops, innermost last.

    `captured` is what the function captures from the current iteration of the innermost loop; None if it is unknown
    whether that is the same in each iteration. `widened` is True if two analyzed iterations represent all others.
    """

    traced: int
    place: Place
    statement: Place
    name: str
    decorated: bool
    loops: tuple[Place, ...]
    maker: gast.AST | None
    captured: tuple[Value, ...] | None = ()
    widened: bool = False


@immutable
class Held(Value):
    """The content of a list or dict that is passed to a call; the entries of a dict are sorted by key.

    Instances that TensorFlow flattens are represented in the same way: `kind` identifies the class, and `name` is its
    name in messages.
    """

    kind: str
    keys: tuple[str, ...]
    items: tuple[Value, ...]
    name: str = ""


@immutable
class Given:
    """An argument in a call of a traced function: its parameter, its value, and its place.

    Lists and dicts are expanded. `fresh` names the kind of object that each call creates again (`lambda`, `bound
    method`...). `source` identifies a name that no loop around the call rebinds: its owner, the name, and where it was
    bound.
    """

    parameter: str
    value: Value
    place: Place | None = None
    fresh: str | None = None
    source: tuple[int, str, Place] | None = None


@immutable
class FunctionMapped(Event):
    """A dataset method such as `map` traced a function; `function` is where it is defined."""

    function: Place


@immutable
class TracedCalled(Event):
    """A function created by `tf.function` was called with these arguments.

    `receiver` identifies the instance if it is a method. `widened` is True in a loop if two analyzed iterations
    represent all others.
    """

    ordinal: int
    traced: Traced
    receiver: int | None
    place: Place | None
    arguments: tuple[Given, ...]
    loops: tuple[Place, ...]
    widened: bool
    in_graph: bool
    sure: bool = False
    """True if the call runs whenever the code around it runs."""
    concrete: bool = False
    """True if `get_concrete_function` requests the trace."""
    batches: bool = False
    """True if the enclosing loop has one iteration with a full batch and one with the last, smaller batch."""
    cut: bool = False
    """True if the enclosing loop has more iterations than were analyzed, and these may make different calls."""
    alike: bool = False
    """True if the enclosing loop has more iterations than were analyzed, and all of them make the same calls."""


@immutable
class VariablesMade(Event):
    """A trace created variables, or may have if not `sure`; the first call then traces twice."""

    ordinal: int
    traced: int
    receiver: int | None
    sure: bool


@immutable
class TracedSaved(Event):
    """`tf.saved_model.save` saves the function, as a method of `receiver` if that is an instance."""

    ordinal: int
    traced: Traced
    receiver: int | None


@immutable
class TracedEscaped(Event):
    """The function escaped to code that isn't analyzed, which may call it any number of times."""

    ordinal: int
    traced: int


@immutable
class TracedExamined(Event):
    """An attribute of the traced function is read that a plain function doesn't have."""

    traced: int


@immutable
class InstanceMade(Event):
    """An instance of a class with traced methods was created; each instance has its own traces."""

    instance: int
    place: Place
    name: str
    loops: tuple[Place, ...]


@immutable
class InstanceEscaped(Event):
    """An instance escaped to code that isn't analyzed."""

    instance: int


@immutable
class FunctionMade(Fact):
    """`tf.function` was applied at `place` a number of times; `calls` counts the calls of each result.

    `loop` is the enclosing loop, if any, and `many` is True if it creates many equal functions. `within` names the
    function that creates and calls it, if no call of that one was seen.
    """

    place: Place
    statement: Place
    name: str
    calls: tuple[int, ...]
    loop: Place | None
    decorated: bool
    confidence: Confidence = Confidence.CERTAIN
    within: str = ""
    many: bool = False


class TraceCount(Enum):
    """How reliable the number of traces is."""

    EXACT = "exact"
    AT_LEAST = "at least"
    EVERY = "every call"
    UNKNOWN = "unknown"


class Difference(Enum):
    """The difference between two arguments; `KIND` means, for example, a list instead of a tuple."""

    FRESH = "fresh"
    VALUE = "value"
    KIND = "kind"
    STRUCTURE = "structure"
    DTYPE = "dtype"
    SHAPE = "shape"
    OBJECT = "object"


@immutable
class Varying:
    """An argument that changes between calls and causes a new trace.

    `seen` has each distinct value. `takes_tensor` is True if the function also works with a tensor instead of the
    number.
    """

    parameter: str
    how: Difference
    seen: tuple[Value, ...]
    place: Place | None
    fresh: str | None = None
    takes_tensor: bool = False


@immutable
class Retraced(Fact):
    """The calls at `place` retrace a function; `traces` of the `calls` seen added a trace.

    `made` is where `tf.function` was applied, `specs` is an `input_signature` for all calls, and `others` are the other
    calls that added a trace. `endless` is True if a loop has more iterations than were analyzed; then every call in it
    adds a trace if every analyzed one did.
    """

    place: Place
    name: str
    made: Place | None
    loop: Place | None
    varying: tuple[Varying, ...]
    specs: tuple[Value, ...] | None
    traces: int
    calls: int
    endless: bool
    others: tuple[Place, ...]
    count: TraceCount = TraceCount.EXACT
    confidence: Confidence = Confidence.CERTAIN

    @property
    def frequency(self) -> str:
        """Return in words how often the function is traced."""
        if self.count is TraceCount.EXACT:
            return f"{self.traces} of the {self.calls} calls seen here add a trace"
        if self.count is TraceCount.AT_LEAST:
            return f"at least {self.traces} of the calls here add a trace"
        return "every call adds a trace" if self.count is TraceCount.EVERY else "each new value adds a trace"


@immutable
class InstancesTraced(Fact):
    """A loop creates instances at `place`, and their traced methods are called once each."""

    place: Place
    class_name: str
    method: str
    call: Place | None
    instances: int
    confidence: Confidence = Confidence.CERTAIN


@immutable
class SignatureDeclared(Fact):
    """A function with an `input_signature`, and the parameters without a default that the signature omits.

    `extra` counts the specs without a parameter.
    """

    place: Place
    name: str
    missing: tuple[str, ...]
    extra: int
    confidence: Confidence = Confidence.CERTAIN


@immutable
class SignatureArgument:
    """An argument of a call, with the signature's `spec` for it, or its default if the signature omits it."""

    parameter: str
    value: Value
    place: Place
    spec: Value | None
    default: Value | None = None


@immutable
class SignatureCall(Fact):
    """A call of a function with an `input_signature`; the function was created at `made`."""

    place: Place
    name: str
    arguments: tuple[SignatureArgument, ...]
    made: Place | None = None
    confidence: Confidence = Confidence.CERTAIN


@immutable
class ArgumentUnhashable(Fact):
    """A call passes an instance without a hash, because of a `field` or because it compares by value."""

    place: Place
    parameter: str
    name: str
    class_name: str
    field: str
    inside: bool
    """True if the argument is a collection that contains the instance."""
    confidence: Confidence = Confidence.CERTAIN


@immutable
class TemporaryReceiver(Fact):
    """A traced method is called on an instance with no other reference; `used` is where it first reads `self`."""

    place: Place
    receiver: Place
    method: str
    class_name: str
    used: Place
    confidence: Confidence = Confidence.CERTAIN


@immutable
class RecursiveCall(Fact):
    """A traced function calls itself while it is traced.

    `under_tensor` is True if the call is in a branch that becomes part of the graph, so nothing ends the recursion.
    """

    place: Place
    name: str
    definition: Place
    under_tensor: bool
    confidence: Confidence = Confidence.CERTAIN


@immutable
class CalledOnlyInGraph(Fact):
    """A traced function whose only visible calls are in other graph code."""

    place: Place
    name: str
    call: Place
    confidence: Confidence = Confidence.CERTAIN


@immutable
class UnrolledLoop(Fact):
    """A Python loop in graph code that creates operations in each iteration.

    `stays_alike` is True if the loop only sets tensors that keep their dtype and shape, and no iteration depends on its
    number.
    """

    place: Place
    iterated: Place
    over: Literal["range", "collection", "counter", "comprehension"]
    turns: int
    stays_alike: bool = False
    confidence: Confidence = Confidence.CERTAIN
