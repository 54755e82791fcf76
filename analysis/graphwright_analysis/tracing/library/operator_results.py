"""What operators give: arithmetic and comparison of tensors, arrays, Python values and lists.

Methods of the project that stand for an operator, and what is refused, are met before, in `python.operators`.
"""

from __future__ import annotations

import operator
import re
from dataclasses import replace
from typing import Any

import gast

from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    ASSUMED,
    LISTS,
    NONE,
    PRESENT,
    UNKNOWN,
    Array,
    Constant,
    DType,
    KerasTensor,
    Object,
    Scalar,
    StaticShape,
    Tensor,
    Tuple,
    Unknown,
    Value,
    Variable,
    dtype_of,
    is_likely,
    is_tensor_like,
    python_kind,
    shape_of,
)
from graphwright_analysis.values.keras_variables import keras_casts
from graphwright_analysis.values.kinds import is_static
from graphwright_analysis.values.python_numbers import is_number
from graphwright_analysis.values.tensorflow import indexing

from . import numpy_calls


def sequence_operation(run: Run, frame: Frame, op: gast.AST, left: Value, right: Value, node: gast.AST) -> Value | None:
    """`[a] + [b]`, `(a,) * 3`; None where neither side is a list or tuple."""
    first, second = held_values.elements_of(run, left), held_values.elements_of(run, right)
    parts: tuple[Value, ...] | None = None
    if isinstance(op, gast.Add) and first is not None and second is not None:
        parts = (*first, *second) if len(first) + len(second) <= _MOST_ELEMENTS else None
    elif isinstance(op, gast.Mult) and first is not None and isinstance(right, Constant):
        times = right.value if isinstance(right.value, int) else -1
        parts = first * times if 0 <= times * len(first) <= 64 else None
    if isinstance(left, Tuple) and (isinstance(op, gast.Mult) or isinstance(right, Tuple)):
        return UNKNOWN if parts is None else Tuple(parts)
    if isinstance(op, (gast.Add, gast.Mult)) and (_is_list(left) or _is_list(right)):
        return allocation.new_list(
            run, frame, parts, node, held_values.element_of(run, left if _is_list(left) else right)
        )
    return None


def _is_list(value: Value) -> bool:
    return isinstance(value, Object) and value.kind in LISTS


_MOST_ELEMENTS = 1024
_WIDE = re.compile(r"\d{4}|\*")


def folded(op: gast.AST, left: Any, right: Any) -> Value:
    """An operator on two Python values that are known."""
    name = OPERATORS.get(type(op))
    if name is None:
        return UNKNOWN
    if isinstance(op, (gast.Pow, gast.LShift, gast.Mult, gast.Mod)) and _too_large(op, left, right):
        return UNKNOWN
    try:
        result = getattr(operator, name)(left, right)
    except Exception:
        return UNKNOWN
    large = isinstance(result, (str, bytes)) and len(result) > 4096
    return Scalar(result.__class__) if large else Constant(result)


def _too_large(op: gast.AST, left: Any, right: Any) -> bool:
    if isinstance(op, gast.Mod):
        # A text's format may ask for any width.
        return isinstance(left, (str, bytes)) and _WIDE.search(str(left)) is not None
    if not all(isinstance(value, (int, float)) for value in (left, right)):
        return True
    if isinstance(op, gast.Mult):
        return max(abs(left), abs(right)) > 1e9
    return abs(left) > 1e9 or (abs(right) > 64 and (abs(left) > 1 or isinstance(op, gast.LShift)))


def elementwise(run: Run, op: gast.AST, left: Value, right: Value) -> Value:
    """An operator on a tensor: a literal follows the tensor's dtype."""
    tensors = [value for value in (left, right) if is_tensor_like(value)]
    known = {value.dtype for value in tensors if isinstance(value, (Tensor, Variable, Array))}
    arrays = any(isinstance(side, Array) for side in (left, right))
    dtype = next(iter(known)) if len(known) == 1 else None
    if run.numpy_behavior and len(tensors) < 2:
        dtype = None
    if keras_casts(left, right) and dtype in dtypes.INTEGERS:
        floats = float in (python_kind(left), python_kind(right))
        dtype = "float32" if floats or isinstance(op, gast.Div) else dtype
    shape = shapes.broadcast(shape_of(left), shape_of(right))
    if isinstance(op, gast.MatMult):
        return Tensor(dtype, indexing.multiplied(shape_of(left), shape_of(right)))
    if isinstance(op, gast.Div):
        dtype = dtypes.true_divided(dtype)
    if isinstance(op, gast.Mult) and "bool" in known and len(known) == 2 and None not in known and not arrays:
        # A bool on either side makes a logical "and" of the whole.
        dtype = "bool"
    return Tensor(dtype, shape, number=dtype != "bool" and is_number(left) and is_number(right))


def array_operation(run: Run, op: gast.AST, left: Value, right: Value) -> Value:
    """An operator on a NumPy array."""
    return numpy_calls.operation(run, _OF_ARRAYS.get(type(op), ""), left, right)


_OF_ARRAYS: dict[type[gast.AST], str] = {
    gast.Add: "add", gast.Sub: "subtract", gast.Mult: "multiply", gast.Div: "true_divide", gast.Mod: "mod",
    gast.FloorDiv: "floor_divide", gast.Pow: "power", gast.MatMult: "matmul", gast.BitAnd: "bitwise_and",
    gast.BitOr: "bitwise_or", gast.BitXor: "bitwise_xor",
}  # fmt: skip


def of_numbers(op: gast.AST, left: Value, right: Value) -> Value:
    """An operator on Python numbers, known or not; unknown of anything else."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return folded(op, left.value, right.value)
    numbers = all(python_kind(side) in (bool, int, float) for side in (left, right))
    return scalar_operation(op, left, right) if numbers else UNKNOWN


def scalar_operation(op: gast.AST, left: Value, right: Value) -> Value:
    """An operator on Python values of which at most the types are known."""
    kinds, turn = (python_kind(left), python_kind(right)), _turn_of(op, left, right)
    if not all(kind in (bool, int, float) for kind in kinds):
        holds = any(isinstance(side, Scalar) and side.holds_tensor for side in (left, right))
        text = kinds[0] is str and isinstance(op, (gast.Mod, gast.Add))
        if not text and is_static(left) and is_static(right):
            return replace(PRESENT, static=True)
        return Scalar(str, turn, holds) if text else PRESENT
    if isinstance(op, gast.Div) or float in kinds:
        return Scalar(float, turn)
    return Scalar(int, turn) if not isinstance(op, gast.Pow) else UNKNOWN


def _turn_of(op: gast.AST, left: Value, right: Value) -> int:
    """The turn that the result belongs to: only what gives different results for different operands counts."""
    turns = [side.turn for side in (left, right) if isinstance(side, Scalar) and side.turn]
    other = right if isinstance(left, Scalar) and left.turn else left
    formats = isinstance(op, gast.Mod) and python_kind(left) is str
    if len(turns) != 1 or not (formats or isinstance(op, (gast.Add, gast.Sub, gast.Mult, gast.Div))):
        return 0
    return 0 if isinstance(other, Constant) and other.value == 0 else turns[0]


def of_symbols(run: Run, op: gast.AST, left: Value, right: Value) -> KerasTensor:
    """An operator on placeholders of Keras'; what dtype Keras finds for different ones isn't told."""
    sides = [Tensor(each.dtype, each.shape) if isinstance(each, KerasTensor) else each for each in (left, right)]
    made = elementwise(run, op, *sides)
    kinds = {dtype_of(side) for side in sides if isinstance(side, (Tensor, Array))}
    shape = made.shape if isinstance(made, Tensor) else None
    layers = tuple(call for each in (left, right) if isinstance(each, KerasTensor) for call in each.layers)
    dtype = made.dtype if isinstance(made, Tensor) and len(kinds) == 1 else None
    return KerasTensor(dtype, shape, tuple(dict.fromkeys(layers)))


def compared(run: Run, op: gast.AST, left: Value, right: Value) -> Value:
    """A single comparison, also `is` and `in`."""
    if isinstance(op, (gast.Is, gast.IsNot)):
        return _identity(left, right, isinstance(op, gast.IsNot))
    if isinstance(left, KerasTensor) or isinstance(right, KerasTensor):
        equal = isinstance(op, (gast.Eq, gast.NotEq, gast.In, gast.NotIn))
        return UNKNOWN if equal else replace(of_symbols(run, gast.Add(), left, right), dtype="bool")
    if isinstance(op, (gast.In, gast.NotIn)):
        return _membership(run, left, right, isinstance(op, gast.NotIn))
    if is_tensor_like(left) or is_tensor_like(right):
        if isinstance(op, (gast.Eq, gast.NotEq)) and NONE in (left, right):
            return Constant(isinstance(op, gast.NotEq))
        # Compared with None the answer is a Python bool, and an object of the user's may answer anything.
        equal = isinstance(op, (gast.Eq, gast.NotEq))
        if any(_may_answer(side, equal) for side in (left, right)):
            return UNKNOWN
        flags = dtype_of(left) == dtype_of(right) == "bool"
        number = not flags and is_number(left) and is_number(right)
        return Tensor("bool", shapes.broadcast(shape_of(left), shape_of(right)), number=number)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return folded(op, left.value, right.value)
    if isinstance(left, (DType, Constant)) and isinstance(right, (DType, Constant)):
        return _same_dtype(op, left, right)
    if isinstance(left, (Array)) or isinstance(right, Array):
        return Array("bool", shapes.broadcast(shape_of(left), shape_of(right)))
    if isinstance(left, StaticShape) or isinstance(right, StaticShape):
        return Scalar(bool)
    if is_likely(left) or is_likely(right):
        return ASSUMED
    known = all(isinstance(side, Tuple) or is_static(side) for side in (left, right))
    # What is compared with a text is one, or nothing that TensorFlow knows.
    return Scalar(bool) if known or str in (python_kind(left), python_kind(right)) else UNKNOWN


def _may_answer(side: Value, equal: bool) -> bool:
    if isinstance(side, Unknown):
        return equal
    return isinstance(side, Object) and side.kind == "instance"


def _same_dtype(op: gast.AST, left: Value, right: Value) -> Value:
    names = [
        side.name if isinstance(side, DType) else dtypes.named(str(side.value)) if isinstance(side, Constant) else None
        for side in (left, right)
    ]
    if None in names or not isinstance(op, (gast.Eq, gast.NotEq)):
        return Scalar(bool)
    return Constant((names[0] == names[1]) is isinstance(op, gast.Eq))


def _identity(left: Value, right: Value, negated: bool) -> Value:
    if NONE in (left, right):
        other = right if left == NONE else left
        if other == NONE:
            return Constant(not negated)
        return Scalar(bool) if isinstance(other, Unknown) else Constant(negated)
    sides = [side.value for side in (left, right) if isinstance(side, Constant)]
    if len(sides) == 2 and all(isinstance(side, bool) for side in sides):
        return Constant((sides[0] is sides[1]) is not negated)
    return Scalar(bool)


def _membership(run: Run, left: Value, right: Value, negated: bool) -> Value:
    elements = held_values.elements_of(run, right)
    if isinstance(left, Constant) and isinstance(right, Constant) and isinstance(right.value, str):
        return Constant((str(left.value) in right.value) is not negated)
    if elements is None or not isinstance(left, Constant) or not all(isinstance(e, Constant) for e in elements):
        return UNKNOWN if is_tensor_like(left) else Scalar(bool)
    found = any(isinstance(e, Constant) and e.value == left.value for e in elements)
    return Constant(found is not negated)


OPERATORS: dict[type, str] = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.Pow: "pow",
    gast.LShift: "lshift",
    gast.RShift: "rshift",
    gast.BitAnd: "and_",
    gast.BitOr: "or_",
    gast.BitXor: "xor",
    gast.Eq: "eq",
    gast.NotEq: "ne",
    gast.Lt: "lt",
    gast.LtE: "le",
    gast.Gt: "gt",
    gast.GtE: "ge",
}


UNARY: dict[type, str] = {
    gast.USub: "neg",
    gast.UAdd: "pos",
    gast.Invert: "invert",
}
