"""Neutral values: what a name can be bound to so that it has the dtype, and where possible the shape, of a value."""

from __future__ import annotations

from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import Tensor, Value, Variable, python_kind


def neutral(value: Value, tensorflow: str | None) -> str | None:
    """Source of a neutral value like this one, or None where none is known."""
    kind = python_kind(value)
    if kind in (bool, int, float, str):
        return {bool: "False", int: "0", float: "0.0", str: "''"}[kind]
    if not isinstance(value, (Tensor, Variable)) or value.dtype is None or tensorflow is None:
        return None
    if value.shape and has_known_shape(value):
        return f"{tensorflow}.zeros({list(value.shape)}, {tensorflow}.{value.dtype})"
    if value.dtype == "float32":
        return f"{tensorflow}.constant(0.0)"
    if value.dtype == "bool":
        return f"{tensorflow}.constant(False)"
    if value.dtype == "string":
        return f"{tensorflow}.constant('')"
    if value.dtype in dtypes.FLOATS | dtypes.INTEGERS:
        return f"{tensorflow}.constant(0, {tensorflow}.{value.dtype})"
    return None


def number(value: Value, number: int, tensorflow: str | None) -> str | None:
    """Source of the number 0 or 1 as a value like this one, or None where it is none of numbers."""
    kind = python_kind(value)
    if kind in (int, float):
        return str(number) if kind is int else f"{number}.0"
    found = neutral(value, tensorflow) if isinstance(value, (Tensor, Variable)) else None
    if found is None or not isinstance(value, (Tensor, Variable)) or value.dtype in ("bool", "string"):
        return None
    return (
        found if number == 0 else found.replace(".zeros(", ".ones(").replace("(0.0)", "(1.0)").replace("(0, ", "(1, ")
    )


def has_known_shape(value: Value) -> bool:
    """Whether a neutral value has the shape of this one, too: numbers of Python have none."""
    if not isinstance(value, (Tensor, Variable)):
        return True
    return value.shape is not None and not {None, shapes.ANY} & set(value.shape)
