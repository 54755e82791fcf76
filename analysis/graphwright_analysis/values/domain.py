"""The lattice of abstract values: what is known of a Python object while a function is traced.

Values are immutable and compare by what they know; whatever can be mutated is an `Object`, a reference into the
trace's state. Nothing here knows how a value came about.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import gast

from . import dtypes
from .converters import Converter
from .shapes import Shape


class Value:
    """Anything that a name can stand for."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """Nothing is known, and nothing is said; `bound` is False where the name may not even be bound.

    `likely` is True of what comes from a parameter of a traced function that nobody is seen to call: it may well be
    a tensor, and what only makes sense of a tensor may be judged with less confidence.
    `present` is True of what is surely not None: what an operator gives; `static` of what a shape or dtype tells.
    """

    bound: bool = True
    likely: bool = field(default=False, compare=False)
    present: bool = field(default=False, compare=False)
    static: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Unbound(Value):
    """The name is surely not bound."""


UNKNOWN = Unknown()
MAYBE = Unknown(bound=False)
PRESENT = Unknown(present=True)
ASSUMED = Unknown(likely=True)
STATIC = Unknown(static=True)
UNDEFINED = Unbound()


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Value):
    """One Python value: a number, string, bytes, bool, None or Ellipsis."""

    value: Any

    def __eq__(self, other: object) -> bool:
        # 1 == 1.0 == True in Python, but not in a graph.
        return isinstance(other, Constant) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, object]:
        kind = self.value.__class__
        return kind.__name__, self.value if kind in (int, str, bytes, bool) else repr(self.value)


@dataclass(frozen=True, slots=True, eq=False)
class UnknownSize(Constant):
    """The None that a static shape gives for a size that TensorFlow doesn't know; it equals any other None."""

    axis: int | None = None


NONE = Constant(None)
EACH_TURN = -1


@dataclass(frozen=True, slots=True)
class Scalar(Value):
    """A Python value of a known builtin type, whichever it is; a text may have had a tensor put into it.

    `turn` is set where the value surely differs from one turn of a loop to the next: two of different turns are
    different. In an iterable it is `EACH_TURN`.
    """

    kind: type
    turn: int = field(default=0, compare=False)
    holds_tensor: bool = False


@dataclass(frozen=True, slots=True)
class Tensor(Value):
    """A `tf.Tensor`, eager or symbolic; the trace decides which. `is_range` is that of what `tf.range` gives."""

    dtype: str | None = None
    shape: Shape = None
    is_range: bool = False
    eager: bool = field(default=False, compare=False)
    """Whether it surely holds a number: it was made outside of the trace that reads it."""


@dataclass(frozen=True, slots=True)
class Variable(Value):
    dtype: str | None = None
    shape: Shape = None


@dataclass(frozen=True, slots=True)
class Array(Value):
    """A NumPy array or scalar."""

    dtype: str | None = None
    shape: Shape = None


@dataclass(frozen=True, slots=True)
class KerasTensor(Value):
    """A placeholder of Keras' functional models: a shape and a dtype that no operation of TensorFlow takes.

    `layers` are those of the project that it has come through.
    """

    dtype: str | None = None
    shape: Shape = None
    layers: tuple[LayerCall, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class LayerCall:
    """A layer or model of the project with what it was called on."""

    layer: Value
    positional: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class TensorArray(Value):
    """A `tf.TensorArray`; `version` is a new one after each write, `made` where all of them come from.

    `size` is None where it isn't known, or the array grows; `elements` is the shape that elements must have, `eager`
    is True of one made outside of any trace, `crossed` of one that a trace has returned.
    """

    dtype: str | None = None
    size: int | None = None
    elements: Shape = None
    made: int = 0
    version: int = field(default=0, compare=False)
    eager: bool = field(default=False, compare=False)
    crossed: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Composite(Value):
    """A `RaggedTensor` or `SparseTensor`."""

    kind: Literal["RaggedTensor", "SparseTensor"]
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class Dataset(Value):
    """A `tf.data.Dataset` or an iterator over one.

    `count` is how many elements there are, where that is known, `ENDLESS` where there is no last one; `rows` is how
    many rows a batch has, and how many the last one.
    """

    element: Value = UNKNOWN
    iterator: bool = False
    count: int | None = field(default=None, compare=False)
    rows: tuple[int, int] | None = field(default=None, compare=False)


ENDLESS = -1
"""How many elements a Dataset has that never ends, as TensorFlow counts."""


@dataclass(frozen=True, slots=True)
class Spec(Value):
    """A `tf.TensorSpec` and its like: `means` is the value that it describes, `unranked` one of any shape."""

    means: Value
    unranked: bool = False


@dataclass(frozen=True, slots=True)
class DType(Value):
    name: str | None


@dataclass(frozen=True, slots=True)
class StaticShape(Value):
    shape: Shape


@dataclass(frozen=True, slots=True)
class Tuple(Value):
    """A tuple; a namedtuple where `fields` are named."""

    items: tuple[Value, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sequence(Value):
    """An iterable of like elements; `length` is set where their number is known, `known` where they are.

    `rows` is that of the Dataset that is walked through, `first` the numbers that come first, or what is zipped.
    """

    element: Value = UNKNOWN
    length: int | None = field(default=None, compare=False)
    known: tuple[Value, ...] | None = field(default=None, compare=False)
    rows: tuple[int, int] | None = field(default=None, compare=False)
    first: range | tuple[Value, ...] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Object(Value):
    """A reference to something mutable in the trace's state: a list, dict, set or instance."""

    id: int
    kind: str
    type: Value | None = field(default=None, compare=False)
    born: tuple[int, ...] = field(default=(), compare=False)


LISTS = frozenset({"list", "deque"})
"""The kinds of objects that hold `Items`."""


@dataclass(frozen=True, slots=True)
class Items:
    """What a list holds: its elements where they are known, else what they have in common."""

    known: tuple[Value, ...] | None = ()
    element: Value = UNKNOWN


@dataclass(frozen=True, slots=True)
class Entries:
    """What a dict holds: entries by constant key; `closed` if there surely are no others."""

    known: tuple[tuple[Any, Value], ...] = ()
    closed: bool = True

    def get(self, key: Any) -> Value:
        for name, value in self.known:
            if name == key and type(name) is type(key):
                return value
        return UNDEFINED if self.closed else UNKNOWN

    def with_entry(self, key: Any, value: Value) -> Entries:
        kept = tuple(entry for entry in self.known if not (entry[0] == key and type(entry[0]) is type(key)))
        return Entries((*kept, (key, value)), self.closed)

    def without(self, key: Any) -> Entries:
        return Entries(tuple(entry for entry in self.known if entry[0] != key), self.closed)


@dataclass(frozen=True, slots=True)
class Function(Value):
    """A function, method or lambda that the project defines; `frame` is where its free names live."""

    node: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda
    block: Any
    frame: int
    defaults: tuple[tuple[str, Value], ...] = ()
    owner: Value | None = field(default=None, compare=False)
    unconverted: Any = None
    """Why AutoGraph leaves it as it is, whoever calls it; None where it doesn't."""
    native: bool = False  # made by converted code, and so converted itself
    converter: Converter | None = None
    """Who converts it and what it calls; None where that is its caller's."""


@dataclass(frozen=True, slots=True)
class Traced(Value):
    """What `tf.function` makes of a callable; where it is `relaxed`, one trace will do for all shapes."""

    target: Value
    signature: tuple[Value, ...] | None = None
    autograph: bool = True
    id: int = 0
    made: Any = None
    relaxed: bool = False
    compiled: bool = False
    """Whether XLA compiles it."""
    converter: Converter = Converter.AUTOGRAPH


@dataclass(frozen=True, slots=True)
class Class(Value):
    """A class that the project defines; `id` owns its attributes in the state, `special` methods are `__call__` and
    the like, and `doubted` says that nobody knows what one of its decorators makes of it."""

    node: gast.ClassDef
    block: Any
    id: int
    bases: tuple[Value, ...] = field(default=(), compare=False)
    dataclass: bool = False
    fields: tuple[str, ...] = ()
    special: frozenset[str] = frozenset()
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class Bound(Value):
    """A callable with its first argument."""

    target: Value
    receiver: Value


@dataclass(frozen=True, slots=True)
class Partial(Value):
    target: Value
    positional: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Method(Value):
    """A method of a builtin or TensorFlow value."""

    receiver: Value
    name: str


@dataclass(frozen=True, slots=True)
class Api(Value):
    """A module, function or class outside the project, by its dotted name (`tf.reduce_sum`, `range`, `np.array`)."""

    name: str


@dataclass(frozen=True, slots=True)
class ApiInstance(Value):
    """An object made by calling an `Api` class whose inside isn't followed (a layer, an optimizer, a tape).

    `held` is what of the project it was given to call; `made` tells it from one made alike, 0 where it may be either.
    """

    name: str
    held: tuple[Value, ...] = ()
    made: int = 0


@dataclass(frozen=True, slots=True)
class KerasObject(ApiInstance):
    """An object of Keras with the arguments that it was made with; lists are laid open as tuples."""

    settings: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class VariablesSnapshot(Value):
    """The variables of a Keras model as they were before it had any; `model` is what the model is known by."""

    model: int


@dataclass(frozen=True, slots=True)
class Super(Value):
    """What `super()` gives: attributes of the receiver from behind a class on."""

    owner: Value
    receiver: Value


@dataclass(frozen=True, slots=True)
class Leaked(Value):
    """A tensor of a trace that has ended; `origin` is what is known of how it got out."""

    origin: Any


@dataclass(frozen=True, slots=True)
class Captured(Value):
    """What a trace found in the cells outside that it read."""

    contents: tuple[Any, ...]


def is_likely(value: Value) -> bool:
    """Whether the value comes from a parameter that nobody was seen to give."""
    return isinstance(value, Unknown) and value.likely


def may_be_none(value: Value) -> bool:
    """Whether it isn't known that the value is, or isn't, None."""
    return isinstance(value, Unknown) and not value.present


def python_kind(value: Value) -> type | None:
    """The builtin type of a Python scalar, if it is known to be one."""
    if isinstance(value, Constant):
        return value.value.__class__
    return value.kind if isinstance(value, Scalar) else None


def dtype_of(value: Value) -> str | None:
    """The dtype that a value has, or takes when it becomes a tensor by itself."""
    if isinstance(value, (Tensor, Variable, Array, Composite)):
        return value.dtype
    if isinstance(value, Constant) and isinstance(value.value, int) and not -(2**31) <= value.value < 2**31:
        return "int64"
    kind = python_kind(value)
    return dtypes.of_python(kind) if kind is not None else None


def shape_of(value: Value) -> Shape:
    if isinstance(value, (Tensor, Variable, Array)):
        return value.shape
    return () if python_kind(value) in (bool, int, float, complex, str, bytes) else None


def is_tensor_like(value: Value) -> bool:
    """Whether operators on it make graph operations."""
    return isinstance(value, (Tensor, Variable))
