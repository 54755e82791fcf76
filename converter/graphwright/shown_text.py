"""Completes the text that is shown of a conversion, so that it does what runs does if somebody executes it."""

from __future__ import annotations

import ast
import io
import tokenize
from typing import Any

from graphwright_analysis.text import LineIndex

from .change_notes import notes_inside


def with_notes(text: str, lines: tuple[int, ...], alias: str) -> tuple[str, tuple[int, ...]]:
    """The text with its notes of changes and, for each line, the user's line; see `change_notes`."""
    statement = ast.parse(text).body[0]
    notes = notes_inside(statement.value if isinstance(statement, ast.Expr) else statement, alias)
    index = LineIndex(text)
    edits: list[tuple[int, str]] = []
    for base, words in notes.changed.items():
        start, end = _span(index, base)
        edits += [(start, f"{alias}.changing("), (end, f", {_double_quoted(repr(words))})" if words else ")")]
    for at, after, words in notes.statements:
        edits += _edits(text, index, at, after, list(map(_double_quoted, words)))
    edits.sort(key=lambda edit: edit[0], reverse=True)
    numbers = list(lines)
    for start, added in edits:
        text = text[:start] + added + text[start:]
        line = index.line_of(start)
        numbers[line:line] = [numbers[line]] * added.count("\n")
    return text, tuple(numbers)


def _edits(text: str, index: LineIndex, at: Any, after: bool, notes: list[str]) -> list[tuple[int, str]]:
    """What to insert at which offsets so that notes are made before or after a statement, or before an expression."""
    start = _span(index, at)[0]
    if isinstance(at, ast.If) and text.startswith("elif", start):
        at = at.test
        start = _span(index, at)[0]
    if isinstance(at, ast.expr):
        start, end = _span(index, at)
        return [(start, f"({', '.join(notes)}, "), (end, ")[-1]")]
    before = text[text.rfind("\n", 0, start) + 1 : start]
    if after:
        end = _span(index, at)[1]
        alone = not before.strip() and text[end : end + 1] in ("\n", "")
        return [(end, "".join(f"\n{before}{note}" if alone else f"; {note}" for note in notes))]
    if before.strip():
        return [(start, "".join(f"{note}; " for note in notes))]
    return [(start, "".join(f"{note}\n{before}" for note in notes))]


def _span(index: LineIndex, at: Any) -> tuple[int, int]:
    """Where a statement or expression begins and ends."""
    start = index.offset_of_utf8(at.lineno, at.col_offset)
    return start, index.offset_of_utf8(at.end_lineno or at.lineno, at.end_col_offset or 0)


def _double_quoted(text: str) -> str:
    """An expression with its strings in double quotes where nothing needs an escape for it."""
    words = list(text)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        inside = token.string[1:-1]
        if token.type == tokenize.STRING and token.string[0] == "'" and not {'"', "\\"} & set(inside):
            words[token.start[1]] = words[token.end[1] - 1] = '"'
    return "".join(words)
