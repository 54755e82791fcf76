"""What a state value is made of, so that it can go into a graph's control flow as tensors and come out as it was.

A node describes a value: which tensors it has (its leaves) and what is around them. It doesn't say how two nodes merge.

Objects take part by a protocol: `graphwright_flatten() -> (values, rebuild)`, values being any state values and
`rebuild(values)` giving such an object, and `graphwright_adopt(value)`, which makes one of another value (a Python list)
or gives None.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from graphwright.runtime.results import Never, Result, Turn
from graphwright.runtime.tensorflow import tf
from graphwright.runtime.undefined import Maybe, Undefined

Shape = tuple["int | None", ...] | None


class Node(Protocol):
    """How a state value is taken apart and made again."""

    def leaves(self, value: Any) -> list[Any]: ...
    def blanks(self) -> list[Any]: ...
    def build(self, leaves: Iterator[Any]) -> Any: ...
    def invariants(self) -> list[Any]: ...


@dataclass(frozen=True, eq=False)
class Constant:
    """A Python value that is the same on all sides."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and same(self.value, other.value)

    __hash__ = None  # type: ignore[assignment]

    def leaves(self, value: Any) -> list[Any]:
        return []

    def blanks(self) -> list[Any]:
        return []

    def build(self, leaves: Iterator[Any]) -> Any:
        return self.value

    def invariants(self) -> list[Any]:
        return []


@dataclass(frozen=True)
class Missing:
    """An undefined name."""

    name: str

    def leaves(self, value: Any) -> list[Any]:
        return []

    blanks = invariants = lambda self: []

    def build(self, leaves: Iterator[Any]) -> Any:
        return Undefined(self.name)


@dataclass(frozen=True)
class Nowhere:
    """What a path gives that never comes to its end."""

    def leaves(self, value: Any) -> list[Any]:
        return []

    blanks = invariants = lambda self: []

    def build(self, leaves: Iterator[Any]) -> Any:
        return Never()


@dataclass(frozen=True)
class Dense:
    """A tensor; a weak one comes from a Python number and adopts another's dtype."""

    dtype: Any
    shape: Shape
    weak: bool = False
    origin: Any = field(default=None, compare=False)

    def leaves(self, value: Any) -> list[Any]:
        if isinstance(value, Never):
            return self.blanks()
        if isinstance(value, Maybe):
            value = value.get()
        if is_dense(value):
            value = tf.convert_to_tensor(value)
            return [value if value.dtype == self.dtype else tf.cast(value, self.dtype)]
        return [tf.convert_to_tensor(value, self.dtype)]

    def blanks(self) -> list[Any]:
        if self.dtype in (tf.resource, tf.variant):
            raise TypeError(f"a tensor of {self.dtype.name} can't be left out")
        return [tf.zeros([size or 0 for size in self.shape or ()], self.dtype)]

    def build(self, leaves: Iterator[Any]) -> Any:
        leaf = next(leaves)
        if self.weak:
            leaf._graphwright_weak = True
        return leaf

    def invariants(self) -> list[Any]:
        return [tf.TensorShape(self.shape)]


@dataclass(frozen=True)
class Composite:
    """A composite tensor, a TensorArray, an iterator..."""

    spec: Any
    relaxed: bool = False
    origin: Any = field(default=None, compare=False)

    def leaves(self, value: Any) -> list[Any]:
        return self.blanks() if isinstance(value, Never) else [value]

    def blanks(self) -> list[Any]:
        if isinstance(self.origin, tf.TensorArray):
            spec = self.spec
            return [tf.TensorArray(self.origin.dtype, 0, dynamic_size=True, element_shape=spec._element_shape)]
        if isinstance(self.spec, tf.RaggedTensorSpec):
            inner = [size or 0 for size in self.spec._shape[self.spec.ragged_rank + 1 :]]
            splits = [tf.zeros([1], self.spec.row_splits_dtype)] * self.spec.ragged_rank
            return [tf.RaggedTensor.from_nested_row_splits(tf.zeros([0, *inner], self.spec.dtype), splits)]
        if isinstance(self.spec, tf.SparseTensorSpec):
            rank = self.spec.shape.rank or 1
            size = tf.zeros([rank], tf.int64)
            return [tf.SparseTensor(tf.zeros([0, rank], tf.int64), tf.zeros([0], self.spec.dtype), size)]
        raise TypeError(f"a {type(self.origin).__name__} can't be left out")

    def build(self, leaves: Iterator[Any]) -> Any:
        return next(leaves)

    def invariants(self) -> list[Any]:
        return [self.spec if self.relaxed else None]


@dataclass(frozen=True)
class Container:
    """A list, tuple, dict, named tuple, dataclass or plain object."""

    kind: type
    keys: tuple[Any, ...]
    items: tuple[Node, ...]
    template: Any = field(compare=False, repr=False)

    def leaves(self, value: Any) -> list[Any]:
        if isinstance(value, Never):
            return self.blanks()
        children = dict(parts(value))
        return [leaf for key, item in zip(self.keys, self.items, strict=True) for leaf in item.leaves(children[key])]

    def blanks(self) -> list[Any]:
        return [leaf for item in self.items for leaf in item.blanks()]

    def build(self, leaves: Iterator[Any]) -> Any:
        return remake(self.template, {key: item.build(leaves) for key, item in zip(self.keys, self.items, strict=True)})

    def invariants(self) -> list[Any]:
        return [shape for item in self.items for shape in item.invariants()]


@dataclass(frozen=True)
class Optional:
    """A value that may be missing: undefined, or None."""

    none: bool
    name: str = field(compare=False)
    inner: Node

    def leaves(self, value: Any) -> list[Any]:
        if value is None if self.none else isinstance(value, (Undefined, Never)):
            return [tf.constant(False), *self.inner.blanks()]
        if isinstance(value, Never):
            return self.blanks()
        if isinstance(value, Maybe) and value.none == self.none:
            return [value.defined, *self.inner.leaves(value.value)]
        return [tf.constant(True), *self.inner.leaves(value)]

    def blanks(self) -> list[Any]:
        return [tf.constant(False), *self.inner.blanks()]

    def build(self, leaves: Iterator[Any]) -> Any:
        defined = next(leaves)
        return Maybe(defined, self.inner.build(leaves), self.name, self.none)

    def invariants(self) -> list[Any]:
        return [tf.TensorShape([]), *self.inner.invariants()]


@dataclass(frozen=True)
class Cooperative:
    """An object that says itself what it is made of."""

    kind: type
    items: tuple[Node, ...]
    sample: Any = field(compare=False, repr=False)
    rebuild: Any = field(compare=False, repr=False)

    def leaves(self, value: Any) -> list[Any]:
        if isinstance(value, Never):
            return self.blanks()
        if not isinstance(value, self.kind):
            value = self.sample.graphwright_adopt(value)
        values, _ = value.graphwright_flatten()
        return [leaf for item, part in zip(self.items, values, strict=True) for leaf in item.leaves(part)]

    def blanks(self) -> list[Any]:
        return [leaf for item in self.items for leaf in item.blanks()]

    def build(self, leaves: Iterator[Any]) -> Any:
        return self.rebuild([item.build(leaves) for item in self.items])

    def invariants(self) -> list[Any]:
        return [shape for item in self.items for shape in item.invariants()]


def describe(value: Any, carried: bool = False) -> Node:
    """The node of a value; if it is carried by a loop, its Python numbers are tensors from the first turn on."""
    if isinstance(value, tf.Variable) or value is None:
        return Constant(value)
    if is_dense(value):
        return Dense(value.dtype, _shape(value), getattr(value, "_graphwright_weak", False), value)
    if isinstance(value, (bool, int, float, complex)):
        return weak(value) if carried else Constant(value)
    if isinstance(value, (Undefined, Never)):
        return Missing(value.name) if isinstance(value, Undefined) else Nowhere()
    if isinstance(value, Maybe):
        return Optional(value.none, value.name, describe(value.value))
    if is_numpy(value):
        return numpy_node(value) if carried else Constant(value)
    if hasattr(type(value), "graphwright_flatten"):
        return _cooperative(value, carried)
    if isinstance(value, (tf.TensorArray, tf.__internal__.CompositeTensor)):
        return Composite(tf.type_spec_from_value(value), origin=value)
    if is_container(value):
        plain = isinstance(value, (list, tuple, dict))
        pieces = parts(value)
        items = tuple(describe(item, carried and plain) for _, item in pieces)
        return Container(type(value), tuple(key for key, _ in pieces), items, value)
    return Constant(value)


def weak(value: Any) -> Dense:
    """The tensor that a Python number becomes."""
    if isinstance(value, bool):
        return Dense(tf.bool, (), True)
    if isinstance(value, int):
        return Dense(tf.int32 if -(2**31) <= value < 2**31 else tf.int64, (), True)
    return Dense(tf.float32 if isinstance(value, float) else tf.complex128, (), True)


def numpy_node(value: Any) -> Dense:
    """The tensor that a NumPy value becomes."""
    return Dense(tf.as_dtype(value.dtype), tuple(value.shape))


def is_numpy(value: Any) -> bool:
    """Whether it is an array or a scalar of NumPy."""
    return type(value).__module__ == "numpy" and hasattr(value, "dtype") and hasattr(value, "shape")


def is_dense(value: Any) -> bool:
    """Whether it is a tensor and not a composite one, a variable or a Python value."""
    return isinstance(value, tf.Tensor)


def is_container(value: Any) -> bool:
    """Whether a value is taken apart: its parts may differ between the sides."""
    if isinstance(value, (list, tuple, dict, Result, Turn)):
        return True
    if isinstance(value, type) or callable(value) or isinstance(value, (tf.Module, tf.TypeSpec)):
        return False
    if dataclasses.is_dataclass(value):
        return True
    if not hasattr(value, "__dict__") or type(value).__module__.partition(".")[0] in _LIBRARIES:
        return False
    return any(tf.is_tensor(item) and not isinstance(item, tf.Variable) for item in vars(value).values())


def parts(value: Any) -> list[tuple[Any, Any]]:
    """Keys and what is under them."""
    if isinstance(value, dict):
        return list(value.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, (list, tuple)):
        return list(enumerate(value))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    slots = [name for kind in type(value).__mro__ for name in _slots(kind) if hasattr(value, name)]
    return [*getattr(value, "__dict__", {}).items(), *((name, getattr(value, name)) for name in slots)]


def remake(template: Any, values: Mapping[Any, Any]) -> Any:
    """A container like another with other things in it."""
    kind: Any = type(template)
    if isinstance(template, tuple):
        return kind._make(values.values()) if hasattr(kind, "_make") else kind(values.values())
    if kind in (list, dict):
        return list(values.values()) if kind is list else dict(values)
    made = copy.copy(template)
    if isinstance(template, list):
        made[:] = values.values()
    elif isinstance(template, dict):
        made.update(values)
    else:
        for name, value in values.items():
            object.__setattr__(made, name, value)
    return made


def same(left: Any, right: Any) -> bool:
    """Whether two Python values are one as far as a program can tell."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, _PLAIN) or type(left).__module__.startswith("tensorflow.python.framework"):
        return bool(left == right) or (left != left and right != right)
    if hasattr(left, "__func__"):
        return left.__func__ is right.__func__ and left.__self__ is right.__self__
    return False


_LIBRARIES = ("tensorflow", "keras", "numpy", "builtins")
_PLAIN = (bool, int, float, complex, str, bytes, range, slice, tf.DType, tf.TensorShape)


def _shape(value: Any) -> Shape:
    return None if value.shape.rank is None else tuple(value.shape.as_list())


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))


def _cooperative(value: Any, carried: bool) -> Cooperative:
    values, rebuild = value.graphwright_flatten()
    return Cooperative(type(value), tuple(describe(item, carried) for item in values), value, rebuild)
