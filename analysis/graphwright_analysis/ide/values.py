"""Text for values: `float32[8, ?, 3]`, in full for hovers and short for inlay hints.

`?` is a size that is unknown, to the analysis or to TensorFlow.
"""

from __future__ import annotations

from graphwright_analysis.values import shapes
from graphwright_analysis.values.converters import Converter
from graphwright_analysis.values.domain import (
    Array,
    Composite,
    Constant,
    Dataset,
    DType,
    KerasTensor,
    Scalar,
    Tensor,
    TensorArray,
    Traced,
    Tuple,
    Value,
    Variable,
)
from graphwright_analysis.values.optional import OrNone
from graphwright_analysis.values.shapes import Shape


def describe(value: Value | None) -> str | None:
    """A value as a reader of TensorFlow code would write it."""
    match value:
        case Tensor() | Variable() | Array() | KerasTensor():
            return _tensor(value)
        case TensorArray() | Composite():
            kind = value.kind if isinstance(value, Composite) else "TensorArray"
            return f"{kind}[{value.dtype}]" if value.dtype else kind
        case Dataset():
            inner = describe(value.element)
            kind = "Iterator" if value.iterator else "Dataset"
            return f"{kind}[{inner}]" if inner else kind
        case OrNone():
            inner = shown(value.inner)
            return f"{inner} | None" if inner else None
        case Tuple():
            inners = [describe(item) or "?" for item in value.items]
            return f"({', '.join(inners)}{',' if len(inners) == 1 else ''})"
        case Constant():
            return f"{type(value.value).__name__} = {value.value!r}" if value.value is not None else "None"
        case Scalar():
            return value.kind.__name__
        case DType():
            return f"tf.{value.name}" if value.name else "DType"
        case Traced():
            return "tf.function" if value.converter is Converter.AUTOGRAPH else "gw.function"
        case _:
            return None


def _tensor(value: Tensor | Variable | Array | KerasTensor) -> str:
    kind = (
        "Variable" if isinstance(value, Variable) else "ndarray" if isinstance(value, Array) else type(value).__name__
    )
    if value.dtype is None and value.shape is None:
        return "Tensor" if isinstance(value, Tensor) else kind
    typed = f"{value.dtype or '?'}{shapes.text(value.shape)}"
    return typed if isinstance(value, Tensor) else f"{kind}[{typed}]"


def shown(value: Value | None) -> str | None:
    """A tensor, or what holds some, in a few characters: `float32[?, 3]`; None for anything else."""
    match value:
        case Tensor() | KerasTensor():
            return _typed(value.dtype, value.shape)
        case Variable():
            inner = _typed(value.dtype, value.shape)
            return f"Variable[{inner}]" if inner else None
        case TensorArray():
            return f"TensorArray[{_typed(value.dtype, value.elements)}]" if value.dtype else None
        case Composite():
            return f"{value.kind}[{value.dtype}]" if value.dtype else None
        case Dataset():
            inner = shown(value.element)
            return f"{'Iterator' if value.iterator else 'Dataset'}[{inner}]" if inner else None
        case Tuple():
            inners = [shown(item) for item in value.items]
            known = [inner for inner in inners if inner is not None]
            return f"({', '.join(known)})" if known and len(known) == len(inners) <= _MOST_ITEMS else None
        case _:
            return None


_MOST_ITEMS = 4


def _typed(dtype: str | None, shape: Shape) -> str | None:
    return None if dtype is None else f"{dtype}{shapes.text(shape)}"
