"""A tensor that every turn of a loop concatenates to, rewritten as a `tf.TensorArray`."""

from __future__ import annotations

import ast

from graphwright_analysis.findings import Repair
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import LoopName
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import Tensor

from .parsed import BlockTree, Edits, names, parsed


def repairs(loop_at: Place, name: LoopName, tensorflow: str | None) -> tuple[Repair, ...]:
    """For `out = tf.concat([out, [row]], 0)` in a loop, where `out` is empty before it and used nowhere else in it."""
    before, after = name.before, name.after
    tree, symbol = parsed(loop_at), name.symbol
    if tree is None or tensorflow is None or not isinstance(before, Tensor) or not isinstance(after, Tensor):
        return ()
    iterated = tree.at(loop_at)
    loop = None if iterated is None else tree.parents.get(iterated)
    rest = before.shape[1:] if before.shape else None
    if not isinstance(loop, (ast.For, ast.While)) or before.dtype is None or before.dtype != after.dtype:
        return ()
    if before.shape is None or before.shape[:1] != (0,) or rest is None or {None, shapes.ANY} & set(rest):
        return ()
    made = _made(tree, loop, symbol)
    uses = [n for n in ast.walk(loop) if isinstance(n, ast.Name) and n.id == symbol]
    statement = tree.statement_of(uses[0]) if uses else None
    row = _row(tree, statement, symbol, tensorflow)
    if made is None or row is None or len(uses) != 2 or statement not in loop.body or loop.orelse:
        return ()
    edits = _edits(tree, loop_at, loop, statement, symbol, row)
    if edits is None:
        return ()
    array = f"{tensorflow}.TensorArray({tensorflow}.{before.dtype}, size=0, dynamic_size=True"
    array += f", element_shape={list(rest)})"
    made_at = Place(loop_at.block, tree.span(made))
    return (Repair(f"Collect `{symbol}` in a tf.TensorArray", ((made_at, array), *edits)),)


def _made(tree: BlockTree, loop: ast.stmt, symbol: str) -> ast.expr | None:
    siblings = tree.siblings(loop)
    before = siblings[: siblings.index(loop)] if loop in siblings else ()
    using = [each for each in before if symbol in names(each)]
    made = using[0] if len(using) == 1 else None
    plain = isinstance(made, ast.Assign) and len(made.targets) == 1 and isinstance(made.targets[0], ast.Name)
    return made.value if isinstance(made, ast.Assign) and plain and "\n" not in tree.source(made) else None


def _row(tree: BlockTree, statement: ast.stmt | None, symbol: str, tensorflow: str) -> str | None:
    """What `symbol = tf.concat([symbol, [row]], 0)` puts after the rest, or None for any other statement."""
    call = statement.value if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if call is None or not isinstance(call, ast.Call) or tree.source(call.func) != f"{tensorflow}.concat":
        return None
    axis = [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg == "axis")]
    parts = call.args[0] if call.args else None
    if len(axis) != 1 or tree.source(axis[0]) != "0" or not isinstance(parts, (ast.List, ast.Tuple)):
        return None
    if len(parts.elts) != 2 or tree.source(parts.elts[0]) != symbol or symbol in names(parts.elts[1]):
        return None
    more = parts.elts[1]
    if isinstance(more, ast.List) and len(more.elts) == 1 and not isinstance(more.elts[0], ast.Starred):
        return tree.source(more.elts[0])
    if isinstance(more, ast.Call) and tree.source(more.func) == f"{tensorflow}.expand_dims":
        given = [tree.source(argument) for argument in (*more.args, *(k.value for k in more.keywords))]
        return given[0] if len(given) == 2 and given[1] == "0" else None
    text = tree.source(more)
    for ending in ("[tf.newaxis]", "[None]", f"[{tensorflow}.newaxis]", "[None, :]", f"[{tensorflow}.newaxis, :]"):
        if text.endswith(ending) and isinstance(more, ast.Subscript):
            return text.removesuffix(ending)
    return None


def _edits(
    tree: BlockTree, at: Place, loop: ast.stmt, statement: ast.stmt | None, symbol: str, row: str
) -> Edits | None:
    assert statement is not None
    span, text = tree.span(loop), tree.text
    indent = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    end = text.find("\n", span.end)
    if indent.strip() or "\n" in row:
        return None
    behind = len(text) if end < 0 else end
    return (
        (Place(at.block, tree.span(statement)), f"{symbol} = {symbol}.write({symbol}.size(), {row})"),
        (Place(at.block, Range(behind, behind)), f"\n{indent}{symbol} = {symbol}.stack()"),
    )
