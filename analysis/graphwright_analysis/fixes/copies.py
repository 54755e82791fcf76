"""A copy of an argument at the beginning of a function."""

from __future__ import annotations

import ast
import re

from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import ArgumentChanged

from . import insertion
from .parsed import BlockTree, parsed


def copy_first(change: ArgumentChanged) -> tuple[tuple[Place, str], ...] | None:
    """An edit that copies the argument in front of a function's first statement.

    Only where it is the argument itself that is changed, under its own name in that function.
    """
    first, name = change.first, change.parameter
    if first is None or not change.direct or first.block is not change.place.block:
        return None
    if change.place.range.start < first.range.start:
        return None
    changed = change.place.block.text[change.place.range.start : change.place.range.end]
    if not re.match(rf"(?:del\s+)?{re.escape(name)}\s*[.\[+]|{re.escape(name)}$", changed):
        return None
    if _is_for_the_caller(change):
        return None
    edit = insertion.line_before(first, f"{name} = {change.kind}({name})")
    return None if edit is None else (edit,)


def _is_for_the_caller(change: ArgumentChanged) -> bool:
    """Whether the change may be meant to be seen outside: the argument isn't given back, and somebody has it still,
    nothing else is done with it, or it is a cache."""
    tree = parsed(change.place)
    node = None if tree is None else tree.at(change.place)
    function = None if tree is None or node is None else tree.function_of(node)
    statement = None if tree is None or node is None else tree.statement_of(node)
    if tree is None or function is None or statement is None:
        return True
    uses = [part for part in ast.walk(function) if isinstance(part, ast.Name) and part.id == change.parameter]
    elsewhere = [use for use in uses if tree.statement_of(use) is not statement]
    if any(_is_given_back(tree, use) for use in elsewhere):
        return False
    return not change.passing or not elsewhere or any(_asks_for_a_key(tree, use) for use in elsewhere)


def _is_given_back(tree: BlockTree, use: ast.AST) -> bool:
    around = next(each for each in tree.around(use) if not isinstance(each, (ast.Tuple, ast.List, ast.Dict)))
    return isinstance(around, ast.Return)


def _asks_for_a_key(tree: BlockTree, use: ast.AST) -> bool:
    """`key in cache`, `cache.get(key)`."""
    around = tree.parents[use]
    if isinstance(around, ast.Attribute):
        return around.attr in ("get", "setdefault")
    return isinstance(around, ast.Compare) and any(isinstance(each, (ast.In, ast.NotIn)) for each in around.ops)
