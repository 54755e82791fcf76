"""Conditions in plain TensorFlow: `and`, `or`, and comparisons of what only the graph knows.

Before:

    if 0 < x < 1 or done: ...
    limit = limit or xs[0]

After:

    tf.cond(tf.logical_or(tf.logical_and(0 < x, x < 1), done), ...)
    limit = tf.cond(tf.cast(limit, tf.bool), lambda: limit, lambda: xs[0])
"""

from __future__ import annotations

from typing import Any

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.values.domain import NONE, Tensor

from graphwright.eject import condition_steps, harmless, list_operators, mixed_values, numbers, seeds
from graphwright.eject.layout import as_argument
from graphwright.errors import ConversionError
from graphwright.passes.logic import binds
from graphwright.passes.unit import walk


def boolean(read: Any, node: gast.BoolOp) -> str | None:
    style = read.unit.style
    _refuse_unknown_size(read, node)
    if style.is_python(node, read.facts):
        return None
    held = style.value(node)
    is_value = style.known.seen is not None and isinstance(held, Tensor) and held.dtype not in (None, "bool")
    return (_chosen if is_value and node not in style.tested else _logical)(read, node)


def _logical(read: Any, node: gast.BoolOp) -> str:
    """`and` and `or` of conditions."""
    refuse_bindings(read, node)
    _refuse_none_at_first(read, node)
    is_and = isinstance(node.op, gast.And)
    text = condition(read, node.values[-1])
    behind = node.values[-1:]
    for value in reversed(node.values[:-1]):
        text = _joined(read, value, behind, text, is_and)
        behind = [value, *behind]
    return text


def _chosen(read: Any, node: gast.BoolOp) -> str:
    """`a or b` where it gives one of several values, and not whether something is so."""
    style, is_and = read.unit.style, isinstance(node.op, gast.And)
    refuse_bindings(read, node)
    seeds.wrap_alike(style, node.values, [style.value(value) for value in node.values])
    text = read(node.values[-1])
    for value in reversed(node.values[:-1]):
        first = read(value)
        if style.is_python(value, read.facts):
            text = f"({first} {'and' if is_and else 'or'} {text})"
            continue
        if not harmless.is_repeatable(read, value):
            reason = "this operand would run twice: assign it to a variable first"
            raise ConversionError(reason, line=value.lineno)
        sides = (text, first) if is_and else (first, text)
        text = f"{style.tf}.cond({condition(read, value)}, lambda: {sides[0]}, lambda: {sides[1]})"
    return text


def _refuse_unknown_size(read: Any, node: gast.BoolOp) -> None:
    """Refuse `x.shape[0] or 3` for a size that isn't known yet: the text would take 3 for any size."""
    style = read.unit.style
    for part, other in zip(node.values, node.values[1:], strict=False):
        owner = part.value if isinstance(part, gast.Subscript) else None
        is_size = isinstance(owner, gast.Attribute) and owner.attr == "shape" and style.is_tensor(owner.value)
        if is_size and style.known.value(part) == NONE and not style.is_tensor(other):
            text = read.unit.original(*read.unit.span(part))
            raise ConversionError(
                f"`{text}` is None while the graph is made, though the tensor has a size when it runs: use `tf.shape`",
                line=node.lineno,
            )


def _refuse_none_at_first(read: Any, node: Any) -> None:
    """Refuse `best is None or x < best` where `best` is assigned: in one iteration it's None, in others a tensor."""
    stored = [
        part.id for part in walk(read.facts.node) if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Store)
    ]
    for part in node.values:
        is_none = isinstance(part, gast.Compare) and isinstance(part.ops[0], (gast.Is, gast.IsNot))
        if is_none and isinstance(part.left, gast.Name) and stored.count(part.left.id) > 1:
            raise seeds.none_at_first(part.left.id, node.lineno)


def comparison(read: Any, node: gast.Compare) -> str | None:
    style = read.unit.style
    operators = [kind_of(operator) for operator in node.ops]
    operands = [node.left, *node.comparators]
    if len(operators) == 1 and operators[0] not in ("In", "NotIn"):
        if (text := list_operators.comparison(read, node)) is not None:
            return text
        return None if operators[0] in ("Is", "IsNot") else numbers.comparison(read, node)
    if all(style.is_python(operand, read.facts) for operand in operands):
        return None
    if not all(harmless.is_repeatable(read, operand) for operand in operands[1:-1]):
        raise ConversionError(
            "the middle operand of this comparison would run twice: assign it to a variable first",
            line=node.lineno,
        )
    pairs = zip(operands, operators, operands[1:], strict=False)
    links = [_link(style, *numbers.operands(read, left, right), operator) for left, operator, right in pairs]
    text = links[-1]
    for number, link in reversed([*enumerate(links[:-1])]):
        is_safe = all(harmless.is_harmless(read, operand) for operand in operands[number + 2 :])
        text = f"{style.tf}.logical_and({link}, {text})" if is_safe else _both(style.tf, link, text)
    return text


def condition(read: Any, node: Any) -> str:
    """An expression as a condition."""
    if kind_of(node) == "BoolOp" and not read.unit.style.is_python(node, read.facts):
        return _logical(read, node)
    if mixed_values.is_python_at_first(read.facts, node):
        # The first iteration would give `tf.cond` a Python bool.
        if not isinstance(node, gast.Compare):
            return f"{read.unit.style.tf}.convert_to_tensor({read(node)})"
        left, right = read(node.left), read(node.comparators[0])
        return f"{read.unit.style.tf}.{_FUNCTIONS[kind_of(node.ops[0])]}({left}, {right})"
    return read.unit.style.as_bool(node, read(node))


def _joined(read: Any, value: gast.expr, behind: list[Any], text: str, is_and: bool) -> str:
    """`value and text`."""
    style = read.unit.style
    tf = style.tf
    if style.is_python(value, read.facts):
        first = read(value)
        if is_and:
            return f"({text} if {first} else {tf}.constant(False))"
        return f"({tf}.constant(True) if {first} else {text})"
    first = condition(read, value)
    if all(harmless.is_harmless(read, part) for part in behind):
        return f"{tf}.logical_{'and' if is_and else 'or'}({as_argument(first)}, {as_argument(text)})"
    if is_and:
        return _both(tf, first, text)
    return f"{tf}.cond({first}, lambda: True, lambda: {text})"


def _both(tf: str, first: str, second: str) -> str:
    """A condition of two, the second of which is computed only where the first one holds."""
    return f"{tf}.cond({first}, lambda: {second}, lambda: False)"


def _link(style: Any, left: str, right: str, operator: str) -> str:
    if operator in ("In", "NotIn"):
        found = f"{style.tf}.reduce_any({style.tf}.equal({left}, {right}))"
        return found if operator == "In" else f"{style.tf}.logical_not({found})"
    return f"{left} {_SIGNS[operator]} {right}"


def refuse_bindings(read: Any, node: gast.expr) -> None:
    """Refuse `:=`, and calls that change something, where the graph decides whether Python comes to them."""
    if any(binds(part) for part in walk(node)):
        raise ConversionError(
            "`:=` assigns a variable under a graph condition: assign it in a separate statement before",
            line=node.lineno,
        )
    changing = condition_steps.changing_calls(read.unit.style, [node])
    if changing:
        raise condition_steps.refusal(read.unit, changing[0])


_SIGNS = {"Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not"}
_FUNCTIONS = {
    "Eq": "equal",
    "NotEq": "not_equal",
    "Lt": "less",
    "LtE": "less_equal",
    "Gt": "greater",
    "GtE": "greater_equal",
}
