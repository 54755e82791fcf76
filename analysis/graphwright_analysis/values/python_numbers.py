"""Tensors that stand for Python numbers in a graph, to which Graphwright gives the dtype of what is beside them.

False and True are 0 and 1 among numbers.
"""

from __future__ import annotations

from typing import TypeVar

from . import dtypes
from .domain import Tensor, Value, dtype_of, is_tensor_like, python_kind

AnyValue = TypeVar("AnyValue", bound=Value)


def is_number(value: Value) -> bool:
    """Whether it is a Python number, as itself or as a tensor."""
    return (isinstance(value, Tensor) and value.number) or python_kind(value) in (bool, int, float, complex)


def fitted(left: Value, right: Value, symbol: str, widens: bool = True) -> tuple[Value, Value]:
    """Two values as they are in one operation: a number that meets another dtype has that.

    Without `widens` it stays narrow beside a dtype of its kind.
    """
    if symbol in _ARITHMETIC and all(dtype_of(side) == "bool" and is_number(side) for side in (left, right)):
        left, right = as_number(left), as_number(right)
    return _beside(left, right, widens), _beside(right, left, widens)


def as_number(value: AnyValue) -> AnyValue | Tensor:
    """A flag that the graph decides as the number that it is; anything else as it is."""
    if isinstance(value, Tensor) and value.number and value.dtype == "bool":
        return Tensor("int32", value.shape, number=True)
    return value


_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">="})
"""The operators for which two flags are numbers."""


def _beside(value: Value, other: Value, widens: bool) -> Value:
    if not (isinstance(value, Tensor) and value.number) or not (is_tensor_like(other) or is_number(other)):
        return value
    dtype = dtype_of(other)
    if dtype not in ("bool", None):
        value = as_number(value)
    if is_number(other) and _width(dtype) <= _width(value.dtype):
        return value
    (kind, _), (own, _) = _width(dtype), _width(value.dtype)
    fits = dtype is not None and value.dtype is not None and (kind > own or (kind == own and widens))
    return Tensor(dtype, value.shape, number=True) if fits else value


def _width(dtype: str | None) -> tuple[int, int]:
    """What a dtype holds: whole numbers, fractions, complex numbers; and how many bits of them."""
    kind = 1 * (dtype in dtypes.INTEGERS) + 2 * (dtype in dtypes.FLOATS) + 3 * (dtype in dtypes.COMPLEX)
    return kind, int("".join(filter(str.isdigit, dtype or "")) or 0)
