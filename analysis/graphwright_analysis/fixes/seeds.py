"""A name that is None before a loop and tested for it in every turn, given a value that changes nothing instead."""

from __future__ import annotations

import ast
from typing import Literal

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import UnseededName
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import Tensor

from .parsed import BlockTree, Edits, names, parsed, stored

_LARGEST: dict[type[ast.cmpop], bool] = {ast.Gt: True, ast.GtE: True, ast.Lt: False, ast.LtE: False}

_Merge = Literal["sum", "max", "min"]


def repairs(name: UnseededName, tensorflow: str | None) -> tuple[Repair, ...]:
    """Seed a running maximum, minimum or sum."""
    tree = parsed(name.statement)
    loop = None if tree is None else tree.at(name.statement)
    if tree is None or not isinstance(loop, (ast.For, ast.While)) or tensorflow is None:
        return ()
    made = _made(tree, loop, name.symbol)
    test = _test(loop, name.symbol)
    found = None if made is None or test is None else _kept(tree, test, name, tensorflow)
    if made is None or found is None or not isinstance(name.after, Tensor):
        return ()
    how, kept = found
    seed = _seed(how, name.after, tensorflow)
    if seed is None:
        return ()
    edits: Edits = ((Place(name.statement.block, tree.span(made)), seed), *kept)
    return (Repair(f"Start with {seed}, the result if the loop has no iterations", edits),)


def _made(tree: BlockTree, loop: ast.stmt, symbol: str) -> ast.expr | None:
    """The `None` that the name is bound to in front of the loop, if nothing else has to do with it."""
    siblings = tree.siblings(loop)
    before = siblings[: siblings.index(loop)] if loop in siblings else ()
    using = [each for each in before if symbol in names(each)]
    made = using[-1] if using else None
    if not isinstance(made, ast.Assign) or len(made.targets) != 1 or not isinstance(made.targets[0], ast.Name):
        return None
    return made.value if isinstance(made.value, ast.Constant) and made.value.value is None else None


def _test(loop: ast.For | ast.While, symbol: str) -> ast.Compare | None:
    """The only test for None in the loop, `symbol is None`."""
    tests = [n for n in ast.walk(loop) if isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.Is, ast.IsNot))]
    if len(tests) != 1 or not isinstance(tests[0].ops[0], ast.Is) or len(tests[0].ops) != 1:
        return None
    left, right = tests[0].left, tests[0].comparators[0]
    none = isinstance(right, ast.Constant) and right.value is None
    return tests[0] if none and isinstance(left, ast.Name) and left.id == symbol else None


def _kept(tree: BlockTree, test: ast.Compare, name: UnseededName, tensorflow: str) -> tuple[_Merge, Edits] | None:
    """What the loop computes (`max`, `min`, `sum`), and the edits that leave the test out."""
    around, symbol, block = tree.parents[test], name.symbol, name.statement.block
    if isinstance(around, ast.IfExp) and around.test is test:
        binding = tree.parents[around]
        how = _merged(tree, around.orelse, around.body, symbol, tensorflow)
        if how is None or not isinstance(binding, ast.Assign) or tree.source(binding.targets[0]) != symbol:
            return None
        return how, ((Place(block, tree.span(around)), tree.source(around.orelse)),)
    if isinstance(around, ast.If) and around.test is test and len(around.body) == len(around.orelse) == 1:
        first, rest = around.body[0], around.orelse[0]
        value = _bound(first, symbol)
        merged = rest.value if isinstance(rest, (ast.Assign, ast.AugAssign)) else None
        if value is None or merged is None or stored(rest) != {symbol}:
            return None
        if isinstance(rest, ast.AugAssign):
            plain = isinstance(rest.op, ast.Add) and tree.source(merged) == tree.source(value)
            return ("sum", ((Place(block, tree.span(around)), tree.source(rest)),)) if plain else None
        how = _merged(tree, merged, value, symbol, tensorflow)
        return None if how is None else (how, ((Place(block, tree.span(around)), tree.source(rest)),))
    if isinstance(around, ast.BoolOp) and isinstance(around.op, ast.Or) and len(around.values) == 2:
        return _compared(tree, around, symbol, block_place=Place(block, tree.span(around)))
    return None


def _compared(tree: BlockTree, either: ast.BoolOp, symbol: str, block_place: Place) -> tuple[_Merge, Edits] | None:
    """`if best is None or x > best: best = x`."""
    branch, compare = tree.parents[either], either.values[1]
    if not isinstance(branch, ast.If) or branch.orelse or not isinstance(compare, ast.Compare):
        return None
    value = next((bound for each in branch.body if (bound := _bound(each, symbol)) is not None), None)
    if value is None or len(compare.ops) != 1 or type(compare.ops[0]) not in _LARGEST:
        return None
    sides = tree.source(compare.left), tree.source(compare.comparators[0])
    if len(branch.body) != 1 or set(sides) != {symbol, tree.source(value)}:
        return None
    largest = _LARGEST[type(compare.ops[0])] is (sides[1] == symbol)
    return ("max" if largest else "min"), ((block_place, tree.source(compare)),)


def _bound(statement: ast.stmt, symbol: str) -> ast.expr | None:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    return statement.value if isinstance(target, ast.Name) and target.id == symbol else None


def _merged(tree: BlockTree, merged: ast.expr, first: ast.expr, symbol: str, tensorflow: str) -> _Merge | None:
    """How `merged` joins the name with what it is first bound to."""
    parts: list[ast.expr] = []
    how: _Merge | None = None
    if isinstance(merged, ast.BinOp) and isinstance(merged.op, ast.Add):
        how, parts = "sum", [merged.left, merged.right]
    elif isinstance(merged, ast.Call) and not merged.keywords and len(merged.args) == 2:
        ways: dict[str, _Merge] = {
            f"{tensorflow}.maximum": "max",
            f"{tensorflow}.minimum": "min",
            f"{tensorflow}.add": "sum",
        }
        how, parts = ways.get(tree.source(merged.func)), merged.args
    return how if how and {tree.source(part) for part in parts} == {symbol, tree.source(first)} else None


def _seed(how: _Merge, value: Tensor, tensorflow: str) -> str | None:
    dtype, shape = value.dtype, value.shape
    if dtype is None or dtype not in dtypes.FLOATS | dtypes.INTEGERS:
        return None
    if shape != ():
        # A shape that is known from a call may be another one in the next.
        return None
    if how == "sum":
        number = "0.0" if dtype in dtypes.FLOATS else "0"
    elif dtype in dtypes.FLOATS:
        number = f"float('{'-' if how == 'max' else ''}inf')"
    else:
        number = f"{tensorflow}.{dtype}.{'min' if how == 'max' else 'max'}"
    return f"{tensorflow}.constant({number}, {tensorflow}.{dtype})"
