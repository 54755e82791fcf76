"""Operators: arithmetic, comparison, `and`, `or` and `not`: which operands, in which order, and who decides.

What they give of tensors, arrays and Python values is in `library.operator_results`.
"""

from __future__ import annotations

import operator
from typing import Literal

import gast

from graphwright_analysis.tracing.facts import StagedCondition
from graphwright_analysis.tracing.library import operator_results
from graphwright_analysis.tracing.library.operator_results import OPERATORS, UNARY
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.noting import formatting, python_use, refused_operations
from graphwright_analysis.tracing.reading import conditions, narrowing
from graphwright_analysis.values import python_numbers, shapes
from graphwright_analysis.values.domain import (
    PRESENT,
    STATIC,
    UNKNOWN,
    Array,
    Constant,
    KerasTensor,
    Object,
    Scalar,
    Tensor,
    Unknown,
    Value,
    Variable,
    dtype_of,
    is_likely,
    is_tensor_like,
    shape_of,
)
from graphwright_analysis.values.joining import join
from graphwright_analysis.values.kinds import is_static

from . import expressions, special_methods


def binary_operation(run: Run, frame: Frame, node: gast.BinOp) -> Value:
    left = expressions.evaluate(run, frame, node.left)
    right = expressions.evaluate(run, frame, node.right)
    return binary(run, frame, node.op, left, right, node)


def binary(run: Run, frame: Frame, op: gast.AST, left: Value, right: Value, node: gast.AST) -> Value:
    """`left op right`."""
    special = special_methods.of_operator(run, frame, OPERATORS.get(type(op), "matmul"), left, right, node)
    if special is not None:
        return special
    if isinstance(left, KerasTensor) or isinstance(right, KerasTensor):
        return operator_results.of_symbols(run, op, left, right)
    if is_likely(left) and not is_tensor_like(right):
        return Unknown(likely=True, present=True)
    if is_likely(right) and not is_tensor_like(left):
        return Unknown(likely=True, present=True)
    if isinstance(op, gast.Mod) and isinstance(left, Constant) and isinstance(left.value, str) and run.context.graph:
        return formatting.percent(run, frame, node, left.value, right)
    if run.context.by_graphwright:
        symbol = refused_operations.SYMBOLS.get(type(op), "")
        left, right = python_numbers.fitted(left, right, symbol, not run.context.carrying)
    if refused_operations.binary(run, frame, op, left, right, node):
        return UNKNOWN
    if isinstance(left, Constant) and isinstance(right, Constant):
        return operator_results.folded(op, left.value, right.value)
    if is_tensor_like(left) or is_tensor_like(right):
        if any(isinstance(side, Object) and side.kind == "instance" for side in (left, right)):
            return UNKNOWN
        return operator_results.elementwise(run, op, left, right)
    if isinstance(left, Array) or isinstance(right, Array):
        return operator_results.array_operation(run, op, left, right)
    made = operator_results.sequence_operation(run, frame, op, left, right, node)
    return operator_results.scalar_operation(op, left, right) if made is None else made


def unary(run: Run, frame: Frame, node: gast.UnaryOp) -> Value:
    operand = expressions.evaluate(run, frame, node.operand)
    if isinstance(node.op, gast.Not):
        if is_tensor_like(operand) and run.context.graph and frame.converted:
            run.note(StagedCondition(place_of(frame, node.operand), "not", operand, decides=False))
            return Tensor("bool", shape_of(operand), number=True)
        python_use.unconverted_truth(run, frame, node.operand, operand, "not")
        known = conditions.truth(operand)
        return Constant(not known) if known is not None else Scalar(bool)
    if refused_operations.unary(run, frame, operand, node):
        return UNKNOWN
    if run.context.by_graphwright:
        operand = python_numbers.as_number(operand)
    if isinstance(operand, Constant):
        try:
            return Constant(getattr(operator, UNARY[type(node.op)])(operand.value))
        except Exception:
            return UNKNOWN
    if is_tensor_like(operand):
        number = isinstance(operand, Tensor) and operand.number
        return Tensor(dtype_of(operand), shape_of(operand), number=number)
    return operand if isinstance(operand, (Scalar, Array, KerasTensor)) or is_likely(operand) else PRESENT


def boolean(run: Run, frame: Frame, node: gast.BoolOp) -> Value:
    """`and`/`or`: in the graph a tensor on the left makes the whole a tensor."""
    conjunction = isinstance(node.op, gast.And)
    result: Value | None = None
    for position, part in enumerate(node.values):
        if result is None:
            value = expressions.evaluate(run, frame, part)
        else:
            with run.doubting(), narrowing.during(run, frame, node.values[:position], conjunction):
                value = expressions.evaluate(run, frame, part)
        if result is not None:
            sides = (node.values[position - 1], result), (part, value)
            value = _combined(run, frame, sides, "and" if conjunction else "or", not _is_test(run.statement, node))
        known = conditions.truth(value)
        last = position == len(node.values) - 1
        if not last:
            python_use.unconverted_truth(run, frame, part, value, "and" if conjunction else "or")
        if known is not None and known is not conjunction and not last and not isinstance(value, Tensor):
            return value
        skipped = known is not None and known is conjunction and not isinstance(value, Tensor)
        result = None if skipped and not last else value
    return UNKNOWN if result is None else result


def _is_test(statement: gast.stmt | None, node: gast.AST) -> bool:
    """Whether a statement asks of an expression only whether it holds."""
    pending: list[gast.AST] = [statement.test] if isinstance(statement, (gast.If, gast.While, gast.Assert)) else []
    while pending:
        part = pending.pop()
        if part is node:
            return True
        if isinstance(part, gast.BoolOp):
            pending += part.values
        elif isinstance(part, gast.UnaryOp):
            pending.append(part.operand)
    return False


def _combined(
    run: Run, frame: Frame, sides: tuple[tuple[gast.AST, Value], ...], role: Literal["and", "or"], wanted: bool = False
) -> Value:
    (first, left), (second, right) = sides
    if isinstance(left, (Tensor, Variable)) and run.context.graph and frame.converted:
        run.note(StagedCondition(place_of(frame, first), role, left, wanted=wanted))
        run.note(StagedCondition(place_of(frame, second), role, right, decides=False, wanted=wanted))
        number = python_numbers.is_number(left) and python_numbers.is_number(right)
        return Tensor("bool", shapes.relaxed(shape_of(left), shape_of(right)), number=number)
    joined = join(left, right)
    return STATIC if joined == UNKNOWN and is_static(left) and is_static(right) else joined


def compare(run: Run, frame: Frame, node: gast.Compare) -> Value:
    identity = isinstance(node.ops[0], (gast.Is, gast.IsNot))
    left = (expressions.looked_at if identity else expressions.evaluate)(run, frame, node.left)
    before = node.left
    result: Value = Constant(True)
    for op, part in zip(node.ops, node.comparators, strict=True):
        right = expressions.evaluate(run, frame, part)
        one = UNKNOWN
        special = None
        if type(op) in OPERATORS:
            special = special_methods.of_operator(run, frame, OPERATORS[type(op)], left, right, node)
        if run.context.by_graphwright:
            symbol = refused_operations.SYMBOLS.get(type(op), "")
            left, right = python_numbers.fitted(left, right, symbol, not run.context.carrying)
        if special is not None:
            one = special
        elif not refused_operations.comparison(run, frame, op, (left, before), (right, part), node):
            one = operator_results.compared(run, op, left, right)
            python_use.element_wise(run, frame, op, (left, right), node)
        if isinstance(op, (gast.In, gast.NotIn)):
            operands = node.left if part is node.comparators[0] else part, part
            python_use.membership(run, frame, node, left, right, operands, isinstance(op, gast.NotIn))
        if part is not node.comparators[-1]:
            python_use.unconverted_truth(run, frame, node, one, "comparison chain")
        if isinstance(one, Constant) and not one.value:
            return one
        # `a < b < c` is `a < b and b < c`.
        result = one if isinstance(result, Constant) else _combined(run, frame, ((node, result), (node, one)), "and")
        left, before = right, part
    return result
