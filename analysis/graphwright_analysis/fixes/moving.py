"""A statement moved further down, to where what it binds is used first."""

from __future__ import annotations

import ast
import re

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place

from .parsed import Edits, names, parsed


def before_first_use(read: Place, symbol: str) -> Edits | None:
    """Move `symbol = owner.attribute` after a call of the owner, where nothing uses it before that."""
    tree = parsed(read)
    node = None if tree is None else tree.at(read)
    statement = None if tree is None or node is None else tree.parents.get(node)
    if tree is None or not isinstance(node, ast.Attribute) or not isinstance(statement, ast.Assign):
        return None
    target, body = statement.targets[0], tree.siblings(statement)
    if len(statement.targets) != 1 or not isinstance(target, ast.Name) or target.id != symbol or not body:
        return None
    behind = body[body.index(statement) + 1 :]
    used = next((each for each in behind if symbol in names(each)), None)
    if used is None:
        return None
    owner, passed = tree.source(node.value), behind[: behind.index(used)]
    called = any(re.search(rf"(?<![\w.]){re.escape(owner)}\(", tree.source(each)) for each in passed)
    text, span, at = tree.text, tree.span(statement), tree.span(used).start
    line, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    goal = text.rfind("\n", 0, at) + 1
    indent, rest = text[line : span.start], text[span.end : end].strip()
    if not called or end < 0 or indent.strip() or text[goal:at] != indent or (rest and rest[0] != "#"):
        return None
    block = read.block
    return (Place(block, Range(line, end + 1)), ""), (Place(block, Range(goal, goal)), text[line : end + 1])
