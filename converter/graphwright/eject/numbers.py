"""Python numbers that the graph carries: they are tensors of one dtype, which TensorFlow doesn't mix with others.

Before:

    count += 1
    mean += delta / count

After, in a loop of the graph:

    count += 1
    mean += delta / tf.cast(count, tf.float32)
"""

from __future__ import annotations

from typing import Any

import gast
from graphwright_analysis.values.domain import Constant, Tensor, Value, Variable, python_kind

from graphwright.passes.unit import as_operand

_ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod, gast.Pow)


def binary(read: Any, node: gast.BinOp) -> str | None:
    """An operation on a number that has to be cast; None where it can stay."""
    style = read.unit.style
    if style.known.seen is None or not isinstance(node.op, _ARITHMETIC):
        return None
    divides = isinstance(node.op, gast.Div) and getattr(style.value(node), "dtype", None) == "float32"
    return _both(read, node, node.left, node.right, divides)


def comparison(read: Any, node: gast.Compare) -> str | None:
    """The same for a comparison of two operands."""
    if read.unit.style.known.seen is None or len(node.ops) != 1:
        return None
    return _both(read, node, node.left, node.comparators[0], False)


def added(read: Any, target: Value, node: gast.expr) -> str:
    """What is added to a name that holds a value."""
    dtype = _cast(read.unit.style.value(node), target, False)
    text = read(node)
    return text if dtype is None else f"{read.unit.style.tf}.cast({text}, {read.unit.style.tf}.{dtype})"


def operands(read: Any, left: gast.expr, right: gast.expr) -> tuple[str, str]:
    """Both sides of a comparison, a number cast to what it is compared with."""
    first, second = read.unit.style.value(left), read.unit.style.value(right)
    return _as_dtype(read, left, _cast(first, second, False)), _as_dtype(read, right, _cast(second, first, False))


def _as_dtype(read: Any, node: gast.expr, dtype: str | None) -> str:
    return read(node) if dtype is None else _operand(read, node, dtype)


def _both(read: Any, node: gast.expr, left: gast.expr, right: gast.expr, divides: bool) -> str | None:
    style, unit = read.unit.style, read.unit
    values = style.value(left), style.value(right)
    dtypes = _cast(values[0], values[1], divides), _cast(values[1], values[0], divides)
    if getattr(style.value(node), "dtype", None) == "float32":
        # A trace has shown that one is a number, though an object or tuple holds it as a tensor.
        whole = [isinstance(value, Tensor) and _is_whole(value.dtype) for value in values]
        dtypes = "float32" if whole[0] else dtypes[0], "float32" if whole[1] else dtypes[1]
    if dtypes == (None, None):
        return None
    texts = [_operand(read, each, dtype) for each, dtype in zip((left, right), dtypes, strict=True)]
    start, end = unit.span(left)[1], unit.span(right)[0]
    between = unit.original(start, end).strip("() ")
    return f"{texts[0]} {between} {texts[1]}"


def _operand(read: Any, node: gast.expr, dtype: str | None) -> str:
    text, tf = read(node), read.unit.style.tf
    if dtype is None:
        return as_operand(text, node, tight=True)
    if isinstance(node, gast.Constant):
        return f"{text}.0"
    return f"{tf}.cast({text}, {tf}.{dtype})"


def _cast(value: Value, other: Value, divides: bool) -> str | None:
    """The dtype that a number is cast to for an operation with another value; None if it stays."""
    if isinstance(value, Constant):
        by_number = isinstance(other, Tensor) and other.number and _is_whole(other.dtype)
        return "float32" if divides and type(value.value) is int and by_number else None
    if isinstance(value, Tensor) and value.number and value.dtype == "float64":
        # Two of Python's whole numbers have been divided, and its floats have no size of their own.
        return "float32" if getattr(other, "dtype", None) == "float32" else None
    if not isinstance(value, Tensor) or not value.number or not _is_whole(value.dtype):
        return None
    if isinstance(other, (Tensor, Variable)) and other.dtype not in (None, "bool", "string", value.dtype):
        return other.dtype
    if divides and isinstance(other, (Tensor, Constant)) and getattr(other, "number", True):
        return "float32"
    return "float32" if python_kind(other) is float else None


def _is_whole(dtype: str | None) -> bool:
    return dtype in ("int32", "int64")
