"""What is computed with a name, as far as that decides which number changes nothing."""

from __future__ import annotations

import ast

from graphwright_analysis.tracing import Place

from .parsed import parsed


def neutral_number(statement: Place, symbol: str) -> int | None:
    """The number that changes nothing in all that is computed with a name outside of an `if`: 1 for factors, 0 for
    summands; None where there is none."""
    tree = parsed(statement)
    node = None if tree is None else tree.at(statement)
    if tree is None or not isinstance(node, ast.If):
        return None
    inside = set(ast.walk(node))
    numbers = {
        _neutral_in(each, tree.parents[each])
        for each in ast.walk(tree.function_of(node) or tree.tree)
        if isinstance(each, (ast.Name, ast.Attribute))
        and isinstance(each.ctx, ast.Load)
        and each not in inside
        and ast.unparse(each) == symbol
    }
    return numbers.pop() if len(numbers) == 1 else None


def _neutral_in(operand: ast.expr, parent: ast.AST) -> int | None:
    match parent:
        case ast.BinOp(op=ast.Mult()):
            return 1
        case ast.BinOp(op=ast.Add()):
            return 0
        case ast.BinOp(op=ast.Div(), right=right) if right is operand:
            return 1
        case ast.BinOp(op=ast.Sub(), right=right) if right is operand:
            return 0
        case ast.AugAssign(op=ast.Mult() | ast.Div(), value=value) if value is operand:
            return 1
        case ast.AugAssign(op=ast.Add() | ast.Sub(), value=value) if value is operand:
            return 0
        case _:
            return None
