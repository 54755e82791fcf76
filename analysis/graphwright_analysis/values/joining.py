"""What is known of a value when either of two may be the case, under plain Python and in a graph."""

from __future__ import annotations

from dataclasses import replace

from . import dtypes, shapes
from .domain import (
    MAYBE,
    NONE,
    PRESENT,
    UNDEFINED,
    UNKNOWN,
    ApiInstance,
    Array,
    Constant,
    KerasTensor,
    Scalar,
    Tensor,
    TensorArray,
    Tuple,
    Unknown,
    Value,
    Variable,
    dtype_of,
    python_kind,
)
from .known_arrays import KnownArray, without_numbers
from .lost_shapes import RanklessTensor
from .optional import OrNone, or_none
from .python_numbers import is_number


def may_be_unbound(value: object) -> bool:
    """Whether the name that holds it is surely or perhaps not bound."""
    return value is UNDEFINED or (isinstance(value, Unknown) and not value.bound)


def join(left: Value, right: Value) -> Value:
    """What is known when either may be the case under plain Python."""
    if left is right:
        return left
    if isinstance(left, Unknown) and isinstance(right, Unknown) and left == right:
        found = right if left.present else left
        return replace(found, static=False) if left.static != right.static and found.static else found
    if left == right:
        return _less_known(left, right)
    if may_be_unbound(left) or may_be_unbound(right):
        return MAYBE
    if NONE in (left, right) or isinstance(left, OrNone) or isinstance(right, OrNone):
        return _optional(left, right)
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        number = left.number and right.number
        return Tensor(dtypes.joined(left.dtype, right.dtype), shapes.joined(left.shape, right.shape), number=number)
    if isinstance(left, KnownArray) or isinstance(right, KnownArray):
        left, right = without_numbers(left), without_numbers(right)
        if left == right:
            return left
    if isinstance(left, KerasTensor) and isinstance(right, KerasTensor):
        return KerasTensor(dtypes.joined(left.dtype, right.dtype), shapes.joined(left.shape, right.shape))
    if isinstance(left, Tuple) and isinstance(right, Tuple) and len(left.items) == len(right.items):
        if left.fields == right.fields:
            pairs = zip(left.items, right.items, strict=True)
            return Tuple(tuple(join(a, b) for a, b in pairs), left.fields)
        return UNKNOWN
    if isinstance(left, TensorArray) and isinstance(right, TensorArray):
        dtype, same = dtypes.joined(left.dtype, right.dtype), left.made == right.made
        elements = shapes.relaxed(left.elements, right.elements)
        if not same:
            return TensorArray(dtype, None, None)
        return replace(left, size=left.size if left.size == right.size else None, elements=elements)
    kind = python_kind(left)
    if kind is not None and kind is python_kind(right) and kind is not type(None):
        return Scalar(kind)
    if isinstance(left, ApiInstance) and isinstance(right, ApiInstance):
        alike = replace(left, made=0)
        return alike if alike == replace(right, made=0) else UNKNOWN
    return UNKNOWN if isinstance(left, Unknown) or isinstance(right, Unknown) else PRESENT


def _less_known(left: Value, right: Value) -> Value:
    """One of two equal values: of tensors, one that isn't a Python number."""
    is_less = isinstance(left, Tensor) and isinstance(right, Tensor) and left.number and not right.number
    return right if is_less else left


def _optional(left: Value, right: Value) -> Value:
    """What is known where at least one of the two is None, or may be."""
    inner = [each.inner if isinstance(each, OrNone) else each for each in (left, right) if each != NONE]
    return or_none(inner[0] if len(inner) == 1 else join(*inner))


def staged(value: Value) -> Value:
    """What a value becomes when it is carried through a staged branch or loop."""
    if isinstance(value, Variable):
        return Tensor(value.dtype, value.shape)
    if isinstance(value, Array):
        return Tensor(value.dtype, value.shape)
    if isinstance(value, Tuple):
        return Tuple(tuple(staged(item) for item in value.items), value.fields)
    kind = python_kind(value)
    if kind in (bool, int, float, str, bytes, complex):
        return Tensor(dtype_of(value), ())
    if isinstance(value, Tensor) and value.is_range:
        return Tensor(value.dtype, value.shape, number=value.number)
    return value


def join_staged(left: Value, right: Value) -> Value:
    """The value after a staged branch whose sides gave `left` and `right`."""
    if left == right and not isinstance(left, (Array, Constant, Scalar, Unknown)):
        return _less_known(left, right)
    first, second = staged(left), staged(right)
    if isinstance(first, Tensor) and isinstance(second, Tensor):
        dtype = dtypes.joined(first.dtype, second.dtype)
        ranks = {None if shape is None else len(shape) for shape in (first.shape, second.shape)}
        if len(ranks) == 2 and None not in ranks:
            return RanklessTensor(dtype)
        number = is_number(left) and is_number(right)
        return Tensor(dtype, shapes.relaxed(first.shape, second.shape), number=number)
    return UNKNOWN if NONE in (first, second) else join(first, second)
