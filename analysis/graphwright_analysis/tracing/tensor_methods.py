"""Methods of tensors, variables, arrays, ragged and sparse tensors and static shapes.

What operators make of them is in `operators`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import gast

from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    UNKNOWN,
    Array,
    Composite,
    Constant,
    Scalar,
    StaticShape,
    Tensor,
    Value,
    Variable,
    shape_of,
)
from graphwright_analysis.values.shapes import Shape, is_number
from graphwright_analysis.values.tensorflow import functions, indexing

from . import displays, escapes, expressions
from .run import Frame, Run

Named = Mapping[str, Value]
Receiver = Tensor | Variable | Array | Composite | StaticShape


def method(
    run: Run,
    frame: Frame,
    receiver: Receiver,
    name: str,
    arguments: list[Value],
    named: Named,
    node: gast.AST | None,
) -> Value:
    """What calling a method gives."""
    if isinstance(receiver, StaticShape):
        return _static_shape(run, frame, receiver, name, arguments, node)
    if isinstance(receiver, Array):
        return _array(run, receiver, name, arguments, named)
    if isinstance(receiver, Composite):
        return _composite(receiver, name)
    return _tensor(run, receiver, name, arguments)


def _tensor(run: Run, receiver: Tensor | Variable, name: str, arguments: list[Value]) -> Value:
    if isinstance(receiver, Variable) and name.startswith(("assign", "scatter_")):
        return receiver
    if name == "numpy":
        return Array(receiver.dtype, receiver.shape)
    if name in ("read_value", "value"):
        return Tensor(receiver.dtype, receiver.shape)
    if name == "get_shape":
        return StaticShape(receiver.shape)
    if name == "sparse_read" and arguments:
        indices = shape_of(arguments[0])
        rows = None if indices is None or not receiver.shape else (*indices, *receiver.shape[1:])
        return Tensor(receiver.dtype, rows)
    if name == "gather_nd":
        return Tensor(receiver.dtype)
    if name in ("eval", "consumers", "experimental_ref", "ref", "is_initialized"):
        return UNKNOWN
    escapes.lose(run, *arguments)
    return UNKNOWN


def _composite(receiver: Composite, name: str) -> Value:
    if name == "get_shape":
        return StaticShape(None)
    if name == "to_tensor" and receiver.kind == "RaggedTensor":
        return Tensor(receiver.dtype)
    if name.startswith("with_") and name != "with_values":
        return Composite(receiver.kind, receiver.dtype)
    integers = ("row_lengths", "value_rowids", "row_starts", "row_limits")
    if name in integers and receiver.kind == "RaggedTensor":
        return Tensor(None, (shapes.ANY,)) if name in ("value_rowids", "row_starts", "row_limits") else Tensor()
    return UNKNOWN


# NumPy


def _array(run: Run, receiver: Array, name: str, arguments: list[Value], named: Named) -> Value:
    if name == "astype" and arguments:
        return Array(functions.numpy_dtype(arguments[0]), receiver.shape)
    if name == "copy":
        return receiver
    if name == "item":
        floats = receiver.dtype in dtypes.FLOATS
        return Scalar(float) if floats else Scalar(int) if receiver.dtype in dtypes.INTEGERS else UNKNOWN
    rearranged = _REARRANGED.get(name)
    if rearranged is not None:
        return replace(receiver, shape=rearranged(run, receiver, arguments) if not named else None)
    return UNKNOWN


def _flat(run: Run, receiver: Array, arguments: list[Value]) -> Shape:
    return (_count(receiver.shape),)


def _count(shape: Shape) -> int:
    known = shape is not None and all(map(is_number, shape))
    return math.prod(size or 0 for size in shape) if known and shape is not None else shapes.ANY


def _reshaped(run: Run, receiver: Array, arguments: list[Value]) -> Shape:
    if len(arguments) > 1:
        return tuple(size for value in arguments for size in indexing.given(value, None) or (shapes.ANY,))
    value = arguments[0] if arguments else UNKNOWN
    return indexing.given(value, expressions.elements_of(run, value))


def _reversed(run: Run, receiver: Array, arguments: list[Value]) -> Shape:
    return receiver.shape[::-1] if receiver.shape is not None and not arguments else None


def _unknown(run: Run, receiver: Array, arguments: list[Value]) -> Shape:
    return None


_REARRANGED: dict[str, Callable[[Run, Array, list[Value]], Shape]] = {
    "flatten": _flat,
    "ravel": _flat,
    "reshape": _reshaped,
    "transpose": _reversed,
    "squeeze": _unknown,
}


# Static shapes


def _static_shape(
    run: Run, frame: Frame, receiver: StaticShape, name: str, arguments: list[Value], node: gast.AST | None
) -> Value:
    shape = receiver.shape
    sizes = shape or ()
    if name == "as_list" and shape is not None:
        return displays.new_list(run, frame, expressions.sizes(shape), node or frame.node)
    if name == "num_elements" and shape is not None and not {None, shapes.ANY} & set(sizes):
        return Constant(math.prod(size or 0 for size in sizes))
    if name == "is_fully_defined" and shape is not None and shapes.ANY not in sizes:
        return Constant(None not in sizes)
    if name in ("is_compatible_with", "is_fully_defined"):
        return Scalar(bool)
    if name in ("concatenate", "merge_with") and arguments and shape is not None:
        other = arguments[0]
        static = other.shape if isinstance(other, StaticShape) else None
        given = indexing.given(other, expressions.elements_of(run, other)) if static is None else static
        if given is not None:
            return StaticShape((*shape, *given) if name == "concatenate" else shapes.merged(shape, given))
    if name in ("concatenate", "merge_with", "with_rank", "with_rank_at_least", "with_rank_at_most"):
        return StaticShape(shape if name.startswith("with_rank") else None)
    return UNKNOWN
