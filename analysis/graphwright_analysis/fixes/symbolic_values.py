"""`x.numpy()` as `x`, where what is done with the value works on a tensor of the graph as well."""

from __future__ import annotations

import ast

from graphwright_analysis.findings import Repair
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place

from .parsed import BlockTree, parsed

_DEPTH = 3
_TAKING_TENSORS = frozenset({"abs", "float", "int", "len", "range"})


def left_out(call: Place, dot: Place, tensorflow: str | None) -> tuple[Repair, ...]:
    """The call taken out, unless a text, a key, an index or a function that isn't TensorFlow's is to have the value."""
    tree = parsed(call)
    node = None if tree is None else tree.at(call)
    if tree is None or node is None or not _takes_tensors(tree, node, tensorflow, _DEPTH):
        return ()
    return (Repair("Leave `.numpy()` out", ((dot, ""),)),)


def _takes_tensors(tree: BlockTree, node: ast.AST, tensorflow: str | None, names: int) -> bool:
    """Whether all that is done with an expression can be done with a tensor; so many names on the way are followed."""
    for part in tree.around(node):
        if isinstance(part, (ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Starred, ast.keyword)):
            node = part
            continue
        if isinstance(part, ast.Compare):
            return not any(isinstance(operator, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for operator in part.ops)
        if isinstance(part, ast.Call):
            name = tree.source(part.func)
            return node is not part.func and (name in _TAKING_TENSORS or name.startswith(f"{tensorflow}."))
        if isinstance(part, ast.Subscript):
            return node is part.value
        if isinstance(part, ast.Assign):
            return names > 0 and all(_uses_take_tensors(tree, each, tensorflow, names - 1) for each in part.targets)
        return isinstance(part, (ast.Return, ast.Expr, ast.AugAssign, ast.If, ast.While, ast.Tuple, ast.List))
    return False


def _uses_take_tensors(tree: BlockTree, target: ast.AST, tensorflow: str | None, names: int) -> bool:
    function = tree.function_of(target)
    if not isinstance(target, ast.Name) or function is None:
        return False
    uses = [part for part in ast.walk(function) if isinstance(part, ast.Name) and part.id == target.id]
    return all(_takes_tensors(tree, use, tensorflow, names) for use in uses if isinstance(use.ctx, ast.Load))


def dot_of(call: Place, function: Place, name: str) -> Place:
    """The place of `.name(...)` after the object whose method is called."""
    return Place(call.block, Range(function.range.end - len(name) - 1, call.range.end))
