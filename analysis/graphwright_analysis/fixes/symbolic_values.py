"""`x.numpy()` as `x`, where what is done with the value works on a tensor of the graph as well."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graphwright_analysis.findings import Repair
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.values.domain import Tensor

from .parsed import BlockTree, parsed

_DEPTH = 3
_PASSING_ON = (ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Starred, ast.keyword, ast.Tuple, ast.List, ast.Subscript)
_TAKING_TENSORS = frozenset({"abs", "float", "int", "len", "range"})


def left_out(call: Place, dot: Place, tensor: Tensor, tensorflow: str | None) -> tuple[Repair, ...]:
    """The call taken out, unless a text, a key, an index or a function that isn't TensorFlow's is to have the value.

    What NumPy takes as an index, TensorFlow mostly doesn't; and a part of a string is no part of its tensor.
    """
    tree = parsed(call)
    node = None if tree is None else tree.at(call)
    if tree is None or node is None or not _takes_tensors(tree, node, tensorflow, _DEPTH):
        return ()
    if tensor.dtype in (None, "string") and _is_indexed(tree, node, _DEPTH):
        return ()
    return (Repair("Remove `.numpy()`", ((dot, ""),)),)


def _takes_tensors(tree: BlockTree, node: ast.AST, tensorflow: str | None, names: int) -> bool:
    """Whether all that is done with an expression can be done with a tensor; so many names on the way are followed."""
    for part in tree.around(node):
        if isinstance(part, ast.Subscript) and (node is not part.value or not _is_plain(part.slice)):
            return False
        if isinstance(part, _PASSING_ON):
            node = part
            continue
        if isinstance(part, ast.Compare):
            return not any(isinstance(operator, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for operator in part.ops)
        if isinstance(part, ast.Call):
            name = tree.source(part.func)
            return node is not part.func and (name in _TAKING_TENSORS or name.startswith(f"{tensorflow}."))
        if isinstance(part, ast.Assign):
            uses = _uses(tree, part.targets) if names else None
            return uses is not None and all(_takes_tensors(tree, use, tensorflow, names - 1) for use in uses)
        return isinstance(part, (ast.Return, ast.Expr, ast.AugAssign, ast.If, ast.While))
    return False


def _is_indexed(tree: BlockTree, node: ast.AST, names: int) -> bool:
    """Whether a part is taken of an expression, or of a name that it is bound to."""
    around = tree.parents[node]
    if isinstance(around, ast.Assign) and names:
        return any(_is_indexed(tree, use, names - 1) for use in _uses(tree, around.targets) or ())
    return isinstance(around, ast.Subscript) and around.value is node


def _is_plain(index: ast.expr) -> bool:
    """Whether an index is one for tensors as well: numbers, slices of whatever, `...`, `None` and comparisons."""
    if isinstance(index, ast.Tuple):
        return all(_is_plain(each) for each in index.elts)
    number = index.operand if isinstance(index, ast.UnaryOp) else index
    return isinstance(number, (ast.Constant, ast.Slice, ast.Compare))


def _uses(tree: BlockTree, targets: Iterable[ast.expr]) -> list[ast.AST] | None:
    """Where the names that are bound are read; None where anything else is bound."""
    found: list[ast.AST] = []
    for target in targets:
        function = tree.function_of(target)
        more = _uses(tree, target.elts) if isinstance(target, ast.Tuple) else None
        if isinstance(target, ast.Name) and function is not None:
            named = (part for part in ast.walk(function) if isinstance(part, ast.Name) and part.id == target.id)
            more = [part for part in named if isinstance(part.ctx, ast.Load)]
        if more is None:
            return None
        found += more
    return found


def dot_of(call: Place, function: Place, name: str) -> Place:
    """The place of `.name(...)` after the object whose method is called."""
    return Place(call.block, Range(function.range.end - len(name) - 1, call.range.end))
