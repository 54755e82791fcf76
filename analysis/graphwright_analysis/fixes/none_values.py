"""None on one side of a branch, replaced by zeros like the tensor on the other side."""

from __future__ import annotations

import ast

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import RETURNED, BranchName
from graphwright_analysis.values.domain import NONE, Tensor

from . import defaults
from .parsed import Parsed, names, parsed, stored


def repairs(name: BranchName, tensorflow: str | None) -> tuple[Repair, ...]:
    """Zeros for a plainly written None, where nothing in the function asks whether the name is None."""
    sides = ((name.body, name.body_place), (name.orelse, name.orelse_place))
    none = [place for value, place in sides if value == NONE]
    tensors = [(value, place) for value, place in sides if isinstance(value, Tensor)]
    if len(none) != 1 or len(tensors) != 1 or tensorflow is None:
        return ()
    value, place = tensors[0]
    tree = None if place is None else parsed(place)
    other = None if tree is None or place is None else _written(tree, place)
    function = None if tree is None or other is None else tree.function_of(other)
    if tree is None or place is None or function is None or other is None or "\n" in tree.source(other):
        return ()
    node = _written(tree, none[0]) if none[0] is not None else _returned_none(function)
    if not isinstance(node, ast.Constant) or node.value is not None:
        return ()
    if name.symbol != RETURNED and _is_tested(function, name.symbol):
        return ()
    branch = next((n for n in tree.around(other) if isinstance(n, ast.If)), None)
    if branch is not None and not names(other) & stored(branch):
        zero = _zeros_like(tree, other, tensorflow)
    else:
        zero = defaults.like(value, tensorflow)
    if zero is None:
        return ()
    return (Repair(f"Give {zero} instead of None", ((Place(place.block, tree.span(node)), zero),)),)


def _zeros_like(tree: Parsed, other: ast.expr, tensorflow: str) -> str:
    source = tree.source(other)
    if isinstance(other, ast.Call) and tree.source(other.func) == f"{tensorflow}.ones_like" and len(other.args) == 1:
        source = tree.source(other.args[0])
    return f"{tensorflow}.zeros_like({source})"


def _written(tree: Parsed, place: Place) -> ast.expr | None:
    """The expression of a binding or of a `return`."""
    found = tree.at(place if place.value is None else Place(place.block, place.value))
    value = found.value if isinstance(found, ast.Return) else found
    return value if isinstance(value, ast.expr) else None


def _returned_none(function: ast.AST) -> ast.expr | None:
    """What the only `return None` of a function with two ways out returns."""
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    none = [n.value for n in returns if isinstance(n.value, ast.Constant) and n.value.value is None]
    return none[0] if len(returns) == 2 and len(none) == 1 else None


def _is_tested(function: ast.AST, symbol: str) -> bool:
    """Whether anything but plain reading happens to the name: a test for None, or its truth."""
    tests = [n for n in ast.walk(function) if isinstance(n, (ast.Compare, ast.BoolOp, ast.UnaryOp))]
    tests += [n.test for n in ast.walk(function) if isinstance(n, (ast.If, ast.IfExp, ast.While))]
    return any(symbol in names(test) for test in tests)
