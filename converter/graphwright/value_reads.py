"""Compiled into code: operators read items at positions that may be tensors, compare what may be lists, read classes.

The shown text has them where a name is surely a list; here it may be anything, such as a parameter. It sets no items.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, cast

from .syntax_trees import is_chain, is_operator, operator_at

_SIGNS: dict[type, str] = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_TYPES = frozenset(("annotation", "returns", "type_params", "decorator_list"))
"""Fields with types, which may be no more than their text, and what runs where a function is defined."""


def ask_values(function: ast.AST, alias: str) -> None:
    """Let a compiled function ask operators for items and slices, for classes, to delete items, and for factors."""
    _replace(function, lambda node: _ASKING[node.__class__](node, alias) if node.__class__ in _ASKING else node)


def compare_values(function: ast.AST, alias: str) -> None:
    """Let the comparisons of a compiled function call an operator, but those with a constant."""
    _replace(function, lambda node: _compared(node, alias) if node.__class__ is ast.Compare else node)


def _replace(function: ast.AST, instead_of: Callable[[Any], Any]) -> None:
    waiting = [function]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ClassDef):
            continue
        for field, value in ast.iter_fields(node):
            if field in _TYPES:
                continue
            if isinstance(value, list):
                parts = cast("list[Any]", value)
                parts[:] = [instead_of(part) for part in parts]
                waiting += [part for part in parts if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST):
                made = instead_of(value)
                if made is not value:
                    setattr(node, field, made)
                waiting.append(made)


def _compared(node: ast.Compare, alias: str) -> Any:
    sides, sign = [node.left, *node.comparators], _SIGNS.get(type(node.ops[0]))
    if sign is None or len(node.ops) > 1 or any(isinstance(side, ast.Constant) for side in sides):
        return node
    return _call(node, alias, "compared", node.left, ast.copy_location(ast.Constant(sign), node), sides[1])


def _read(node: Any, alias: str) -> Any:
    if node.__class__ is not ast.Subscript or not isinstance(node.ctx, ast.Load) or is_operator(node.value, alias):
        return node
    if isinstance(node.slice, ast.Tuple):
        if not _has_slices(node.slice):
            _read_from(node, alias)  # A list has no such position.
        return node
    if isinstance(node.slice, ast.Slice) and not _is_fixed(node.slice):
        return _call(node, alias, "read_slice", node.value, *_given_bounds(node.slice, node))
    if isinstance(node.slice, ast.Slice) or _is_constant(node.slice):
        _read_from(node, alias)
        return node
    return _call(node, alias, "read_item", node.value, node.slice)


def _read_from(node: ast.Subscript, alias: str) -> None:
    """Let an item be read of what the list or dict is now."""
    if isinstance(node.value, (ast.Name, ast.Attribute, ast.Subscript)) and not is_operator(node.value, alias):
        named = [ast.copy_location(ast.Constant(text), node) for text in [_name_of(node.value)] if text]
        node.value = _call(node.value, alias, "read_from", node.value, *named)


def _name_of(node: ast.expr) -> str:
    """A name, or an attribute of one, as it is written; empty for anything else."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _class_of(node: ast.Attribute, alias: str) -> Any:
    """`x.__class__`: a number of the graph has Python's."""
    if node.attr != "__class__" or not isinstance(node.ctx, ast.Load):
        return node
    return _call(node, alias, "read_class", node.value)


def _product(node: ast.BinOp, alias: str) -> Any:
    """`x * y`: TensorFlow gives flags where one is a flag."""
    if isinstance(node.op, ast.Mult) and not isinstance(node.right, ast.Constant):
        node.right = _call(node.right, alias, "factor", node.right)
    return node


def _augmented(node: ast.AugAssign, alias: str) -> Any:
    """`a.n += y` and `x[i] += y` read and set a place, and may change what is there; `x *= y` is a product."""
    target = node.target
    if isinstance(target, (ast.Attribute, ast.Subscript)):
        operator = "updated" if isinstance(target, ast.Attribute) else "updated_item"
        named = [ast.copy_location(ast.Constant(ast.unparse(target)), target)] if is_chain(target) else []
        target.value = _call(target.value, alias, operator, target.value, *named)
    if isinstance(node.op, ast.Mult) and not isinstance(node.value, ast.Constant):
        node.value = _call(node.value, alias, "factor", node.value)
    return node


def _gone_over(node: ast.For, alias: str) -> Any:
    """`for key, value in table.items()`: the graph may have made lists in it longer."""
    view = node.iter
    is_view = isinstance(view, ast.Call) and isinstance(view.func, ast.Attribute) and view.func.attr in _VIEWS
    if is_view:
        node.iter = _call(view, alias, "with_current", view)
    return node


def _bounds(position: ast.Slice) -> list[ast.expr | None]:
    return [position.lower, position.upper, position.step]


def _given_bounds(position: ast.Slice, node: ast.AST) -> list[ast.expr]:
    """The same as expressions; None for those that aren't written."""
    return [bound or ast.copy_location(ast.Constant(None), node) for bound in _bounds(position)]


def _is_fixed(position: ast.Slice) -> bool:
    """Whether Python knows the bounds of a slice, so that it may stay as it is."""
    return all(bound is None or _is_constant(bound) for bound in _bounds(position))


def _has_slices(position: ast.expr) -> bool:
    """Whether it is one, or several positions with one among them, as only arrays and tensors have them."""
    parts = position.elts if isinstance(position, ast.Tuple) else [position]
    return any(isinstance(part, (ast.Slice, ast.Starred)) for part in parts)


def _is_constant(position: ast.expr) -> bool:
    """Whether a position is written as a number or a text, such as -1."""
    return isinstance(position.operand if isinstance(position, ast.UnaryOp) else position, ast.Constant)


def _deleted(node: ast.Delete, alias: str) -> Any:
    """`del xs[i]`, where the position isn't constant."""
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
        return node
    place = target.slice
    if isinstance(place, ast.Tuple) or (_is_fixed(place) if isinstance(place, ast.Slice) else _is_constant(place)):
        return node
    if isinstance(place, ast.Slice):
        call = _call(target, alias, "delete_slice", target.value, *_given_bounds(place, node))
    else:
        call = _call(target, alias, "delete_item", target.value, place)
    return ast.copy_location(ast.Expr(call), node)


def _call(place: ast.expr, alias: str, operator: str, *arguments: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(operator_at(place, alias, operator), list(arguments), []), place)


_ASKING: dict[type, Callable[[Any, str], Any]] = {
    ast.Subscript: _read,
    ast.Attribute: _class_of,
    ast.Delete: _deleted,
    ast.BinOp: _product,
    ast.AugAssign: _augmented,
    ast.For: _gone_over,
}
_VIEWS = ("items", "values")
