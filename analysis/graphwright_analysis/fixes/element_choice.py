"""An `if` on a condition with many elements, written as `tf.where`."""

from __future__ import annotations

import ast

from graphwright_analysis.findings import Repair
from graphwright_analysis.tracing import Place

from .parsed import parsed


def repairs(condition: Place, tensorflow: str | None) -> tuple[Repair, ...]:
    """For an `if` whose sides each bind one and the same name; without an `else` the name keeps its value."""
    tree = parsed(condition)
    test = None if tree is None else tree.at(condition)
    branch = None if tree is None or test is None else tree.parents.get(test)
    if tree is None or test is None or not isinstance(branch, ast.If) or branch.test is not test or tensorflow is None:
        return ()
    sides = [_binding(branch.body), _binding(branch.orelse)]
    text, whole = tree.text, tree.span(branch)
    if sides[0] is None or (branch.orelse and sides[1] is None) or text.startswith("elif", whole.start):
        return ()
    name, taken = sides[0]
    if sides[1] is not None and sides[1][0] != name:
        return ()
    other = name if sides[1] is None else tree.source(sides[1][1])
    values = [taken, *([] if sides[1] is None else [sides[1][1]])]
    numbers = {type(value.value) for value in values if isinstance(value, ast.Constant)}
    if int in numbers and (len(values) == 1 or numbers != {int} or not all(map(_is_number, values))):
        return ()
    parts = (tree.source(test), tree.source(taken), other)
    if any("\n" in part or "#" in part for part in (*parts, text[whole.start : whole.end].partition(":")[0])):
        return ()
    if "#" in text[whole.start : whole.end]:
        return ()
    made = f"{name} = {tensorflow}.where({', '.join(parts)})"
    title = "Choose elementwise with tf.where (computes both branches)"
    return (Repair(title, ((Place(condition.block, whole), made),)),)


def _binding(statements: list[ast.stmt]) -> tuple[str, ast.expr] | None:
    if len(statements) != 1 or not isinstance(statements[0], ast.Assign) or len(statements[0].targets) != 1:
        return None
    target = statements[0].targets[0]
    return (target.id, statements[0].value) if isinstance(target, ast.Name) else None


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)
