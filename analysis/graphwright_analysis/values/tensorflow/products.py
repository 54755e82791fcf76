"""Shapes of matrix products and their kin."""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import NONE, Constant
from graphwright_analysis.values.shapes import ANY, Shape, is_number

from . import indexing, operands
from .operands import Arguments


def matmul(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    flags = [arguments.flag(f"{how}_{name}") for name in "ab" for how in ("transpose", "adjoint")]
    left, right = (arguments.shape(name) for name in deciding[:2])
    if None in flags or left is None or right is None:
        return None
    if min(len(left), len(right)) >= 2:
        left = (*left[:-2], left[-1], left[-2]) if flags[0] or flags[1] else left
        right = (*right[:-2], right[-1], right[-2]) if flags[2] or flags[3] else right
    return indexing.multiplied(left, right)


def matvec(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    left, right = arguments.shape("a"), arguments.shape("b")
    flags = [arguments.flag(name) for name in ("transpose_a", "adjoint_a")]
    if left is None or not right or len(left) < 2 or None in flags:
        return None
    head = shapes.broadcast(left[:-2], right[:-1])
    return None if head is None else (*head, left[-1] if any(flags) else left[-2])


def tensordot(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    left, right, axes = arguments.shape("a"), arguments.shape("b"), arguments.integer("axes")
    if left is None or right is None or axes is None or not 0 <= axes <= min(len(left), len(right)):
        return None
    return (*left[: len(left) - axes], *right[axes:])


def einsum(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    equation = arguments.first("equation", "subscripts")
    if not isinstance(equation, Constant) or not isinstance(equation.value, str):
        return None
    return indexing.einsum(equation.value, [operands.static_shape(v, arguments.elements) for v in arguments.extra])


def diagonal(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape(deciding[0])
    return (*shape, shape[-1]) if shape and arguments.only(deciding[0]) else None


def diagonal_part(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    shape = arguments.shape(deciding[0])
    if shape is None or len(shape) < 2 or not arguments.only(deciding[0]):
        return None
    last = shape[-2:]
    shorter = min(size or 0 for size in last) if all(map(is_number, last)) else ANY
    return (*shape[:-2], shorter)


def eye(arguments: Arguments, deciding: Sequence[str]) -> Shape:
    rows = arguments.size("num_rows")
    columns = rows if arguments.get("num_columns") == NONE else arguments.size("num_columns")
    batch = () if arguments.get("batch_shape") == NONE else arguments.given_shape("batch_shape")
    return None if batch is None else (*batch, rows, columns)
