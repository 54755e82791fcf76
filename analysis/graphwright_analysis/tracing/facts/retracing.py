"""What `tf.function` is applied to, and what its calls cost.

The trace notes events, one for each thing that happens; at its end `functions.retracing` sums them up as the facts that
rules judge.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

import gast

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.values.domain import Traced, Value

from .fact import Fact
from .place import Place


class Event(Fact):
    """Something that happened once; `ordinal` tells it from the next time. Not judged by itself."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TracedMade(Event):
    """`tf.function` was applied, by the function `maker`; `loops` stand around the making, the innermost last.

    `captured` is what the function has from the turn of the innermost one; None where nobody knows whether that is the
    same in each. `widened` says that two turns of a loop stand for all.
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


@dataclass(frozen=True, slots=True)
class Held(Value):
    """What a list or dict holds when it is given to a call; a dict's entries are ordered by key.

    So is an instance that TensorFlow takes apart: its kind says which class that is, `name` what people call it.
    """

    kind: str
    keys: tuple[str, ...]
    items: tuple[Value, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """An argument of a traced function's call: its parameter, what it is, and where it is written.

    Lists and dicts are laid open; `fresh` says what is made again for each call (`lambda`, `bound method`...), `source`
    by what name it is given that no loop around the call binds again: whose, which, and where it was bound.
    """

    parameter: str
    value: Value
    place: Place | None = None
    fresh: str | None = None
    source: tuple[int, str, Place] | None = None


@dataclass(frozen=True, slots=True)
class FunctionMapped(Event):
    """A dataset's method such as `map` traced a function; `function` is where that is defined."""

    function: Place


@dataclass(frozen=True, slots=True)
class TracedCalled(Event):
    """What `tf.function` made was called with these arguments.

    `receiver` identifies the instance where it is a method; `widened` is True in a loop of which two turns stand for
    all.
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
    """Whether the call is surely made where what is around it is run."""
    concrete: bool = False
    """Whether `get_concrete_function` asks for the trace."""
    batches: bool = False
    """Whether the loop around it has one turn with a whole batch, and one with the last of them."""
    cut: bool = False
    """Whether the loop around it has more turns than were followed, which may make other calls."""
    alike: bool = False
    """Whether the loop around it has more turns than were followed, all of which make the same calls."""


@dataclass(frozen=True, slots=True)
class VariablesMade(Event):
    """A trace has made variables, or may have, where that isn't `sure`; then the first call traces twice."""

    ordinal: int
    traced: int
    receiver: int | None
    sure: bool


@dataclass(frozen=True, slots=True)
class TracedSaved(Event):
    """`tf.saved_model.save` writes it, as a method of `receiver` where that is an instance."""

    ordinal: int
    traced: Traced
    receiver: int | None


@dataclass(frozen=True, slots=True)
class TracedEscaped(Event):
    """Code that isn't followed has got hold of it, and may call it as often as it likes."""

    ordinal: int
    traced: int


@dataclass(frozen=True, slots=True)
class TracedExamined(Event):
    """An attribute of it is looked up, which a plain function doesn't have."""

    traced: int


@dataclass(frozen=True, slots=True)
class InstanceMade(Event):
    """An instance of a class with traced methods was made; each instance has traces of its own."""

    instance: int
    place: Place
    name: str
    loops: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class InstanceEscaped(Event):
    """Code that isn't followed has got hold of an instance."""

    instance: int


@dataclass(frozen=True, slots=True)
class FunctionMade(Fact):
    """`tf.function` was applied at `place` some number of times; `calls` counts each result's calls.

    `loop` is the loop around the making, where there is one, and `many` says that it makes many that are the same;
    `within` names the function in whose body it is made and
    called, where nobody is seen to call that one.
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
    """What the number of traces is worth."""

    EXACT = "exact"
    AT_LEAST = "at least"
    EVERY = "every call"
    UNKNOWN = "unknown"


class Difference(Enum):
    """In what two arguments differ; `KIND` is a list for a tuple."""

    FRESH = "fresh"
    VALUE = "value"
    KIND = "kind"
    STRUCTURE = "structure"
    DTYPE = "dtype"
    SHAPE = "shape"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class Varying:
    """An argument that differs between calls in a way that makes a new trace.

    `seen` holds what was given, each once. `takes_tensor` says that the function would do with a tensor in place of
    the number.
    """

    parameter: str
    how: Difference
    seen: tuple[Value, ...]
    place: Place | None
    fresh: str | None = None
    takes_tensor: bool = False


@dataclass(frozen=True, slots=True)
class Retraced(Fact):
    """The calls at `place` trace a function again and again; `traces` of the `calls` seen were new ones.

    `made` is where `tf.function` was applied to it, `specs` what an `input_signature` for all calls would hold, and
    `others` are the other calls that added a trace. `endless` is True where a loop goes on for
    turns that weren't followed; every call in it adds a trace if every one that was seen did.
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
        """How often it is traced, in words."""
        if self.count is TraceCount.EXACT:
            return f"{self.traces} of the {self.calls} calls seen here add a trace"
        if self.count is TraceCount.AT_LEAST:
            return f"at least {self.traces} of the calls here add a trace"
        return "every call adds a trace" if self.count is TraceCount.EVERY else "each new value adds a trace"


@dataclass(frozen=True, slots=True)
class InstancesTraced(Fact):
    """A loop makes instances at `place` whose traced methods are called once each."""

    place: Place
    class_name: str
    method: str
    call: Place | None
    instances: int
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class SignatureDeclared(Fact):
    """A function with an `input_signature`: which parameters it leaves out though they have no default.

    `extra` counts the specs that no parameter is left for.
    """

    place: Place
    name: str
    missing: tuple[str, ...]
    extra: int
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class SignatureArgument:
    """An argument of a call, beside what the signature (`spec`) or, outside of it, the default wants."""

    parameter: str
    value: Value
    place: Place
    spec: Value | None
    default: Value | None = None


@dataclass(frozen=True, slots=True)
class SignatureCall(Fact):
    """A call of a function with an `input_signature`, made at `made`."""

    place: Place
    name: str
    arguments: tuple[SignatureArgument, ...]
    made: Place | None = None
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class ArgumentUnhashable(Fact):
    """A call gives a traced function an instance that has no hash, for a `field` of it or as it compares by value."""

    place: Place
    parameter: str
    name: str
    class_name: str
    field: str
    inside: bool
    """Whether the argument is a collection that holds it."""
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class TemporaryReceiver(Fact):
    """A traced method is called on an instance that nothing else holds; `used` is where it first reads `self`."""

    place: Place
    receiver: Place
    method: str
    class_name: str
    used: Place
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class RecursiveCall(Fact):
    """A traced function calls itself while it is traced.

    `under_tensor` is True where the call stands in a branch that becomes part of the graph, so that nothing ends it.
    """

    place: Place
    name: str
    definition: Place
    under_tensor: bool
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class CalledOnlyInGraph(Fact):
    """A traced function that other graph code alone is seen to call."""

    place: Place
    name: str
    call: Place
    confidence: Confidence = Confidence.CERTAIN


@dataclass(frozen=True, slots=True)
class UnrolledLoop(Fact):
    """A Python loop in graph code that makes operations in each of its turns.

    `stays_alike` says that all it sets are tensors which keep dtype and shape, and that no turn asks which one it is.
    """

    place: Place
    iterated: Place
    over: Literal["range", "collection", "counter", "comprehension"]
    turns: int
    stays_alike: bool = False
    confidence: Confidence = Confidence.CERTAIN
