"""None in one branch of an `if`, replaced by what changes nothing in the shape of the tensor in the other branch.

Where nothing is known that changes nothing, the user chooses.
"""

from __future__ import annotations

import ast

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import RESULT, RETURNED, BranchName
from graphwright_analysis.values.domain import NONE, Tensor

from . import defaults
from .parsed import BlockTree, names, parsed, stored
from .starting_values import CHOICE, choice_title
from .uses import neutral_number


def repairs(name: BranchName, tensorflow: str | None) -> tuple[Repair, ...]:
    """Replace a plainly written None, where nothing in the function asks whether the name is None."""
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
    span = Place(place.block, tree.span(node))
    source = CHOICE if name.symbol in (RETURNED, RESULT) else _neutral(tree, span, name, (other, value), tensorflow)
    title = choice_title("Replace None") if source == CHOICE else f"Replace None with {source}"
    return (Repair(title, ((span, source),), incomplete=source == CHOICE),)


def _neutral(tree: BlockTree, none: Place, name: BranchName, bound: tuple[ast.expr, Tensor], tensorflow: str) -> str:
    """What changes nothing, of the shape of the value that the other branch binds; else a value to choose."""
    other, value = bound
    number = neutral_number(none, name.symbol)
    if number is None or value.dtype in ("bool", "string"):
        return CHOICE
    branch = next((n for n in tree.around(other) if isinstance(n, ast.If)), None)
    if branch is not None and not names(other) & stored(branch):
        return f"{tensorflow}.{'ones' if number else 'zeros'}_like({_shaped(tree, other, tensorflow)})"
    known = defaults.number(value, number, tensorflow) if defaults.has_known_shape(value) else None
    return known or CHOICE


def _shaped(tree: BlockTree, other: ast.expr, tensorflow: str) -> str:
    """Source of an expression with the shape and dtype of this one."""
    made_alike = [f"{tensorflow}.{maker}_like" for maker in ("ones", "zeros")]
    if isinstance(other, ast.Call) and tree.source(other.func) in made_alike and len(other.args) == 1:
        return tree.source(other.args[0])
    return tree.source(other)


def _written(tree: BlockTree, place: Place) -> ast.expr | None:
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
