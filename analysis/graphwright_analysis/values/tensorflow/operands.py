"""How a value reads as an operand of a TensorFlow function: its dtype, static shape, integers, and what agrees with it.

What a function makes of its operands is elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from graphwright_analysis.immutability import immutable
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    LISTS,
    NONE,
    Array,
    Constant,
    Object,
    StaticShape,
    Tensor,
    Tuple,
    Value,
    Variable,
    dtype_of,
    python_kind,
    shape_of,
)
from graphwright_analysis.values.shapes import ANY, Shape

Elements = Callable[[Value], "tuple[Value, ...] | None"]
"""Gives what a collection holds, where that is known."""

DTYPE_PARAMETERS = ("dtype", "output_type", "out_type", "type", "index_type", "out_idx")
"""How functions call the parameter that asks for a dtype."""


@immutable
class Arguments:
    """The arguments of a call by parameter, with what positional ones are left over."""

    values: Mapping[str, Value]
    elements: Elements
    extra: tuple[Value, ...] = ()

    def has(self, name: str) -> bool:
        return name in self.values

    def get(self, name: str) -> Value:
        return self.values.get(name, NONE)

    def first(self, *names: str) -> Value:
        """The argument of the first of these names that is given."""
        return next((self.values[name] for name in names if name in self.values), NONE)

    def only(self, name: str) -> bool:
        """Whether nothing else is given that may matter."""
        return set(self.values) <= {name, "name"}

    def having(self, name: str, value: Value) -> Arguments:
        return replace(self, values={**self.values, name: value})

    def shape(self, name: str) -> Shape:
        return static_shape(self.values[name], self.elements) if name in self.values else None

    def parts(self, name: str) -> tuple[Value, ...] | None:
        """The elements of a list or tuple."""
        value = self.get(name)
        return self.elements(value) if is_collection(value) else None

    def integer(self, name: str, default: int | None = None) -> int | None:
        return integer(self.values[name]) if name in self.values else default

    def size(self, name: str) -> int | None:
        """The size that an argument says."""
        found = self.integer(name)
        return ANY if found is None or found < 0 else found

    def flag(self, name: str) -> bool | None:
        """A switch, which is off unless it is given; None where it isn't known."""
        value = self.values.get(name)
        if value is None:
            return False
        return bool(value.value) if isinstance(value, Constant) else None

    def given_shape(self, name: str) -> Shape:
        from . import indexing

        value = self.get(name)
        if isinstance(value, StaticShape):
            return value.shape
        return indexing.given(value, self.elements(value) if is_collection(value) else None)


def converted(value: Value, elements: Elements, dtype: str | None = None) -> Tensor:
    """What `tf.convert_to_tensor` makes of a value."""
    if isinstance(value, (Tensor, Variable, Array)):
        return Tensor(dtype or value.dtype, value.shape)
    inner = elements(value)
    if inner is None:
        return Tensor(dtype or dtype_of(value), shape_of(value))
    parts = [converted(part, elements) for part in inner]
    first = first_tensor(inner, elements)
    kinds = {first.dtype} if first is not None else {part.dtype for part in parts}
    arrays = [isinstance(value, Array) for value in inner]
    if first is None and any(arrays) and not all(arrays):
        kinds = set[str | None]()
    if kinds == {"int32", "float32"}:
        kinds = {"float32"}
    shape: Shape = parts[0].shape if parts else ()
    for part in parts[1:]:
        shape = shapes.merged(shape, part.shape)
    found = next(iter(kinds)) if len(kinds) == 1 else None
    if not parts:
        found = "float32"
    return Tensor(dtype or found, None if shape is None else (len(parts), *shape))


def first_tensor(values: Sequence[Value], elements: Elements) -> Tensor | None:
    """The first tensor among values and what they hold, which gives the others their dtype."""
    for value in values:
        if isinstance(value, (Tensor, Variable)):
            return Tensor(value.dtype, value.shape)
        found = first_tensor(elements(value) or (), elements) if not isinstance(value, Array) else None
        if found is not None:
            return found
    return None


def is_collection(value: Value) -> bool:
    return isinstance(value, Tuple) or (isinstance(value, Object) and value.kind in LISTS)


def own_dtype(value: Value, elements: Elements) -> str | None:
    """The dtype that a value has as a tensor, with nothing to follow."""
    if isinstance(value, (Tensor, Variable, Array)) or python_kind(value) is not None:
        return dtype_of(value)
    return converted(value, elements).dtype if is_collection(value) else None


def static_shape(value: Value, elements: Elements) -> Shape:
    """The shape that a value has as a tensor."""
    return converted(value, elements).shape if is_collection(value) else shape_of(value)


def integer(value: Value) -> int | None:
    if isinstance(value, Constant) and isinstance(value.value, int) and not isinstance(value.value, bool):
        return value.value
    return None


def integers(value: Value, elements: Elements) -> tuple[int | None, ...] | None:
    """The integers that a list, a shape or one integer gives, None for each that isn't known."""
    if isinstance(value, StaticShape):
        return None if value.shape is None else tuple(None if size == ANY else size for size in value.shape)
    if is_collection(value):
        parts = elements(value)
        return None if parts is None else tuple(map(integer, parts))
    one = integer(value)
    return None if one is None else (one,)


def disagreement(first: Value, second: Value, elements: Elements) -> str | None:
    """Why the second operand of an operation surely can't take the dtype of the first, or None."""
    wanted = own_dtype(first, elements)
    if wanted is None or follows(second, wanted, elements) is not False:
        return None
    return dtypes_text(first, second, elements)


def dtypes_text(first: Value, second: Value, elements: Elements) -> str:
    one, other = own_dtype(first, elements), own_dtype(second, elements)
    return f"{one or 'another dtype'} and {other or 'another dtype'}"


def follows(value: Value, dtype: str, elements: Elements) -> bool | None:
    """Whether a value becomes a tensor of the dtype that an operation asks of it; None where that isn't sure."""
    if isinstance(value, (Tensor, Variable)):
        return None if value.dtype is None else value.dtype == dtype
    if is_collection(value):
        # TensorFlow may cast the tensors in a list, so only what it makes of literals is sure.
        parts = [part for part in elements(value) or () if not isinstance(part, (Tensor, Variable))]
        return False if False in (follows(part, dtype, elements) for part in parts) else None
    # TensorFlow casts a NumPy array to what it needs, without a word.
    kind = python_kind(value)
    if isinstance(value, Array) or kind is None or dtype not in dtypes.NUMBERS | {"bool", "string"}:
        return None
    if kind in (str, bytes):
        return dtype == "string"
    if dtype in ("string", "bool"):
        return (kind is bool and dtype == "bool") if kind in (bool, int, float) else None
    if kind is float:
        return dtype not in dtypes.INTEGERS
    return True if kind in (bool, int) else None
