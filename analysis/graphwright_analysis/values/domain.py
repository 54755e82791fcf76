"""The lattice of abstract values: what is known of a Python object while a function is traced.

Values are immutable and compare by what is known. Mutable objects are an `Object`, a reference into the state of the
trace. This module doesn't know how a value was computed.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

import gast

from graphwright_analysis.immutability import immutable

from . import dtypes
from .converters import Converter
from .shapes import Shape


class Value:
    """Any value that a name can have."""

    __slots__ = ()


@immutable
class Unknown(Value):
    """An unknown value, about which no rule reports anything; `bound` is False if the name may be unbound.

    `likely` is True for parameters of a traced function without visible calls: they may well be tensors, and are judged
    as such with less confidence if the code only works with a tensor. `present` is True for values that are never None,
    such as the result of an operator, and `static` for values read from a shape or dtype.
    """

    bound: bool = True
    likely: bool = field(default=False, compare=False)
    present: bool = field(default=False, compare=False)
    static: bool = field(default=False, compare=False)


@immutable
class Unbound(Value):
    """A name that is always unbound."""


UNKNOWN = Unknown()
MAYBE = Unknown(bound=False)
PRESENT = Unknown(present=True)
ASSUMED = Unknown(likely=True)
STATIC = Unknown(static=True)
UNDEFINED = Unbound()


@immutable(eq=False)
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


@immutable(eq=False)
class UnknownSize(Constant):
    """The None of an unknown size in a static shape; it equals any other None."""

    axis: int | None = None


NONE = Constant(None)
EACH_TURN = -1


@immutable
class Scalar(Value):
    """A Python value of a known builtin type but unknown value; a string may have a tensor formatted into it.

    `turn` is set if the value always differs between iterations of a loop: values of different iterations are
    different. In an iterable it is `EACH_TURN`.
    """

    kind: type
    turn: int = field(default=0, compare=False)
    holds_tensor: bool = False


@immutable
class Tensor(Value):
    """A `tf.Tensor`: of `tf.range`, with a value though a graph is traced, or for Python numbers, if these are True."""

    dtype: str | None = None
    shape: Shape = None
    is_range: bool = False
    eager: bool = field(default=False, compare=False)
    number: bool = field(default=False, compare=False)


@immutable
class Variable(Value):
    dtype: str | None = None
    shape: Shape = None


@immutable
class Array(Value):
    """A NumPy array or scalar."""

    dtype: str | None = None
    shape: Shape = None


@immutable
class KerasTensor(Value):
    """A symbolic input of a functional Keras model, with the project's `layers` that it has passed through."""

    dtype: str | None = None
    shape: Shape = None
    layers: tuple[LayerCall, ...] = field(default=(), compare=False)


@immutable
class LayerCall:
    """A layer or model of the project, with the arguments of its call."""

    layer: Value
    positional: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...] = ()


@immutable
class TensorArray(Value):
    """A `tf.TensorArray`; `version` is new after each write, and `made` is where it was created.

    `size` is None if it is unknown or the array grows. `elements` is the shape that elements must have. `eager` is True
    if the array was created outside of any trace, `crossed` if a trace returned it.
    """

    dtype: str | None = None
    size: int | None = None
    elements: Shape = None
    made: int = 0
    version: int = field(default=0, compare=False)
    eager: bool = field(default=False, compare=False)
    crossed: bool = field(default=False, compare=False)


@immutable
class Composite(Value):
    """A `RaggedTensor` or `SparseTensor`."""

    kind: Literal["RaggedTensor", "SparseTensor"]
    dtype: str | None = None


@immutable
class Dataset(Value):
    """A `tf.data.Dataset` or an iterator over one.

    `count` is the number of elements if known, or `ENDLESS`. `rows` has the number of rows of a batch, and of the last
    one.
    """

    element: Value = UNKNOWN
    iterator: bool = False
    count: int | None = field(default=None, compare=False)
    rows: tuple[int, int] | None = field(default=None, compare=False)


ENDLESS = -1
"""The number of elements of an infinite Dataset, as TensorFlow counts it."""


@immutable
class Spec(Value):
    """A `tf.TensorSpec` or similar: `means` is the value that it describes, `unranked` the same for any shape."""

    means: Value
    unranked: bool = False


@immutable
class DType(Value):
    name: str | None


@immutable
class StaticShape(Value):
    shape: Shape


@immutable
class Tuple(Value):
    """A tuple; a namedtuple if it has `fields`."""

    items: tuple[Value, ...]
    fields: tuple[str, ...] = ()


@immutable
class Sequence(Value):
    """An iterable of similar elements; `length` and `known` are set if the number or the elements are known.

    `rows` is that of the Dataset being iterated over, `first` has the first numbers, or the zipped values.
    """

    element: Value = UNKNOWN
    length: int | None = field(default=None, compare=False)
    known: tuple[Value, ...] | None = field(default=None, compare=False)
    rows: tuple[int, int] | None = field(default=None, compare=False)
    first: range | tuple[Value, ...] | None = field(default=None, compare=False)


@immutable
class Object(Value):
    """A reference to a mutable object in the state of the trace: a list, dict, set or instance."""

    id: int
    kind: str
    type: Value | None = field(default=None, compare=False)
    born: tuple[int, ...] = field(default=(), compare=False)


LISTS = frozenset({"list", "deque"})
"""The kinds of objects that have `Items`."""


@immutable
class Items:
    """The content of a list: its elements if known, otherwise what they have in common."""

    known: tuple[Value, ...] | None = ()
    element: Value = UNKNOWN


@immutable
class Entries:
    """The content of a dict: entries by constant key; `closed` if there are no others."""

    known: tuple[tuple[Any, Value], ...] = ()
    closed: bool = True

    def get(self, key: Any) -> Value:
        found = (value for name, value in self.known if name == key and type(name) is type(key))
        return next(found, UNDEFINED if self.closed else UNKNOWN)

    def with_entry(self, key: Any, value: Value) -> Entries:
        kept = tuple(entry for entry in self.known if not (entry[0] == key and type(entry[0]) is type(key)))
        return Entries((*kept, (key, value)), self.closed)

    def without(self, key: Any) -> Entries:
        return Entries(tuple(entry for entry in self.known if entry[0] != key), self.closed)


@immutable
class Function(Value):
    """A function, method or lambda defined in the project; `frame` has its free names."""

    node: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda
    block: Any
    frame: int
    defaults: tuple[tuple[str, Value], ...] = ()
    owner: Value | None = field(default=None, compare=False)
    unconverted: Any = None
    """Why AutoGraph never converts it, for any caller; None if it does."""
    native: bool = False  # made by converted code, and so converted itself
    converter: Converter | None = None
    """What converts the function and the functions it calls; None if its caller decides."""


@immutable
class Traced(Value):
    """The result of `tf.function` for a callable; if `relaxed`, one trace works for all shapes."""

    target: Value
    signature: tuple[Value, ...] | None = None
    autograph: bool = True
    id: int = 0
    made: Any = None
    relaxed: bool = False
    compiled: bool = False
    """True if XLA compiles it."""
    converter: Converter = Converter.AUTOGRAPH


@immutable
class Class(Value):
    """A class defined in the project; `id` owns its attributes in the state.

    `special` has methods such as `__call__`; `doubted` is True if the effect of one of its decorators is unknown.
    """

    node: gast.ClassDef
    block: Any
    id: int
    bases: tuple[Value, ...] = field(default=(), compare=False)
    dataclass: bool = False
    fields: tuple[str, ...] = ()
    special: frozenset[str] = frozenset()
    doubted: bool = False


@immutable
class Bound(Value):
    """A callable with its first argument bound."""

    target: Value
    receiver: Value


@immutable
class Partial(Value):
    target: Value
    positional: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...]


@immutable
class Method(Value):
    """A method of a builtin or TensorFlow value."""

    receiver: Value
    name: str


@immutable
class Api(Value):
    """A module, function or class outside of the project, by its dotted name (`tf.reduce_sum`, `range`, `np.array`)."""

    name: str


@immutable
class ApiInstance(Value):
    """An instance of an `Api` class whose implementation isn't analyzed (a layer, an optimizer, a tape).

    `held` has the project's callables that were passed to it. `made` distinguishes it from equal instances, and is 0 if
    it may be any of them.
    """

    name: str
    held: tuple[Value, ...] = ()
    made: int = 0


@immutable
class KerasObject(ApiInstance):
    """A Keras object with its constructor arguments; lists are expanded as tuples."""

    settings: tuple[tuple[str, Value], ...] = ()


@immutable
class VariablesSnapshot(Value):
    """The variables of a Keras model from before it had any; `model` identifies the model."""

    model: int


@immutable
class Super(Value):
    """The result of `super()`: attributes of the receiver, starting after a class in its method resolution order."""

    owner: Value
    receiver: Value


@immutable
class Leaked(Value):
    """A tensor of a trace that has ended; `origin` is where it escaped, if known."""

    origin: Any


@immutable
class Captured(Value):
    """The values that a trace read from names outside of it."""

    contents: tuple[Any, ...]


def is_likely(value: Value) -> bool:
    """True if the value comes from a parameter for which no argument was seen."""
    return isinstance(value, Unknown) and value.likely


def may_be_none(value: Value) -> bool:
    """True if the value may be None, or may be something else than None."""
    return isinstance(value, Unknown) and not value.present


def python_kind(value: Value) -> type | None:
    """The builtin type of a Python scalar, if known."""
    if isinstance(value, Constant):
        return value.value.__class__
    return value.kind if isinstance(value, Scalar) else None


def dtype_of(value: Value) -> str | None:
    """The dtype of a value, or the one it gets when it is converted to a tensor."""
    if isinstance(value, (Tensor, Variable, Array, Composite)):
        return value.dtype
    if isinstance(value, Constant) and isinstance(value.value, int) and not -(2**31) <= value.value < 2**31:
        return "int64"
    return None if (kind := python_kind(value)) is None else dtypes.of_python(kind)


def shape_of(value: Value) -> Shape:
    if isinstance(value, (Tensor, Variable, Array)):
        return value.shape
    return () if python_kind(value) in (bool, int, float, complex, str, bytes) else None


def is_tensor_like(value: Value) -> bool:
    """True if operators on the value create graph operations."""
    return isinstance(value, (Tensor, Variable))
