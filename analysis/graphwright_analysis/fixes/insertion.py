"""Lines put in front of a statement."""

from __future__ import annotations

import ast
import re

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place

from .parsed import parsed


def line_before(statement: Place, code: str) -> tuple[Place, str] | None:
    """An edit that puts one line in front of a statement, or None where it doesn't begin its line.

    An `elif` belongs to the `if` above it; the line goes in front of that.
    """
    text, start = statement.block.text, _chain_start(statement)
    if start is None:
        return None
    line = text.rfind("\n", 0, start) + 1
    indent = text[line:start]
    if indent.strip():
        return None
    end = "\r\n" if "\r\n" in text else "\n"
    return Place(statement.block, Range(start, start)), f"{code}{end}{indent}"


def _chain_start(statement: Place) -> int | None:
    """Where the `if` of a statement's elif chain begins; the statement itself where it is none."""
    text, start = statement.block.text, statement.range.start
    if not text.startswith("elif", start):
        return start
    indent = text[text.rfind("\n", 0, start) + 1 : start]
    heads = [*re.finditer(rf"^{re.escape(indent)}if\b", text[:start], re.MULTILINE)]
    return heads[-1].end() - len("if") if heads else None


def line_moved_before(statement: Place, other: Place) -> tuple[tuple[Place, str], ...]:
    """Edits that move a statement in front of an earlier one of the same list; none where it doesn't own its lines."""
    text, start, end = statement.block.text, statement.range.start, statement.range.end
    line = text.rfind("\n", 0, start) + 1
    behind = text.find("\n", end) + 1
    same = text[line:start] == text[text.rfind("\n", 0, other.range.start) + 1 : other.range.start]
    comment = text[end:behind].strip()
    edit = line_before(other, text[start:behind].rstrip())
    if edit is None or not behind or not same or text[line:start].strip() or (comment and comment[0] != "#"):
        return ()
    return edit, (Place(statement.block, Range(line, behind)), "")


def added_else(statement: Place, code: str) -> tuple[Place, str] | None:
    """An edit that gives an `if` without an `else` one, with a single line in it."""
    tree = parsed(statement)
    node = None if tree is None else tree.at(statement)
    if tree is None or not isinstance(node, ast.If) or node.orelse:
        return None
    text, first = tree.text, tree.span(node.body[0]).start
    line, head = text.rfind("\n", 0, first) + 1, text.rfind("\n", 0, statement.range.start) + 1
    inner, outer, end = text[line:first], text[head : statement.range.start], text.find("\n", statement.range.end)
    if inner.strip() or outer.strip() or text.startswith("elif", statement.range.start):
        return None
    at = len(text) if end < 0 else end
    return Place(statement.block, Range(at, at)), f"\n{outer}else:\n{inner}{code}"
