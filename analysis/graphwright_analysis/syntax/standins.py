"""Builds nodes for code that can't be parsed from what its text still tells.

Every node gets a position inside the stretch it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.text import LineIndex, Range

from .repair import assignment_ends, names_read, repairs
from .tree import MAX_DEPTH, BeyondLimits, Unparsable, parse_source


@immutable
class SyntaxProblem:
    """Where a text is no Python, and what Python says about it."""

    range: Range
    message: str


@dataclass(slots=True)
class Work:
    """A text in repair and what was found out so far."""

    text: str
    lines: LineIndex
    longest: int
    suspected_line: int
    broken: list[Range] = field(default_factory=lambda: list[Range]())
    problems: list[SyntaxProblem] = field(default_factory=lambda: list[SyntaxProblem]())
    failure: Unparsable = field(default_factory=lambda: Unparsable("invalid syntax"))


def note_broken(work: Work, span: Range) -> None:
    """List a stretch as broken, and as a problem if it was Python that the last failure came from."""
    work.broken.append(span)
    at = span
    failure = work.failure
    if isinstance(failure, BeyondLimits):
        return
    if failure.line and failure.column:
        offset = work.lines.offset(failure.line - 1, failure.column - 1)
        if span.start <= offset < span.end:
            at = Range(offset, span.end)
    work.problems.append(SyntaxProblem(at, failure.message))


def parse_at(work: Work, start: int, code: str, depth: int, before: str = "") -> list[gast.stmt] | None:
    """Parse code as if it stood alone at an offset, after the line `before`, which goes with it."""
    line = work.lines.line_of(start)
    column = _bytes_between(work, work.lines.starts[line], start)
    blank = " " * column
    lead = f"{blank}{before}\n" if before else ""
    wrap = "if 1:\n" if column else ""
    shift = line - (1 if before else 0) - (1 if column else 0)
    return attempt(work, wrap + lead + blank + code, shift, depth, column > 0)


def attempt(work: Work, source: str, shift: int, depth: int, wrapped: bool) -> list[gast.stmt] | None:
    """Parse; in a wrapped source all statements are in the body of one `if`. A failure is remembered."""
    try:
        statements = parse_source(source, shift, max(MAX_DEPTH - depth, 1))
    except Unparsable as failure:
        work.failure = failure
        return None
    if not wrapped:
        return statements
    if len(statements) != 1 or not isinstance(statements[0], gast.If) or statements[0].orelse:
        return None
    return statements[0].body


def repaired_statement(work: Work, span: Range, depth: int) -> list[gast.stmt]:
    """Statements for a broken one: completed if that can be done, else what is told by its beginning."""
    code = work.text[span.start : span.end]
    note_broken(work, span)
    if len(code) <= _LONGEST_REPAIR:
        for candidate in repairs(code):
            statements = parse_at(work, span.start, candidate, depth)
            if statements is not None:
                return [clamped(work, statement, span) for statement in statements]
    return [salvaged_statement(work, span, depth)]


def salvaged_statement(work: Work, span: Range, depth: int) -> gast.stmt:
    """A statement that assigns and reads what the broken one seems to."""
    text = work.text
    whole, span = span, Range(span.start, min(span.end, span.start + _LONGEST_REPAIR))
    for equals in assignment_ends(text, span)[:_MOST_TARGETS]:
        statements = parse_at(work, span.start, text[span.start : equals] + " ...", depth)
        if statements and isinstance(statements[0], (gast.Assign, gast.AugAssign, gast.AnnAssign)):
            statement = clamped(work, statements[0], span)
            statement.value = salvaged_expression(work, Range(equals, span.end))
            return placed(work, statement, whole)
    word = _FIRST_WORD.match(text, span.start, span.end)
    first = word.group() if word else ""
    rest = Range(word.end() if word else span.start, span.end)
    simple = _ALONE.get(first)
    if simple is not None:
        return placed(work, simple(), whole)
    if first == "return":
        return placed(work, gast.Return(salvaged_expression(work, rest)), whole)
    if first == "raise":
        return placed(work, gast.Raise(salvaged_expression(work, rest), None), whole)
    if not names_read(text, span):
        return placed(work, gast.Pass(), whole)
    return placed(work, gast.Expr(salvaged_expression(work, span)), whole)


def salvaged_expression(work: Work, span: Range) -> gast.expr:
    """An expression that reads the names that the text reads; an ellipsis if there are none."""
    names = [_name_node(work, read.parts, read.range) for read in names_read(work.text, span)]
    if not names:
        return placed(work, gast.Constant(..., None), span)
    if len(names) == 1:
        return names[0]
    return placed(work, gast.Tuple(names, gast.Load()), span)


_Node = TypeVar("_Node", bound=gast.AST)


def placed(work: Work, node: _Node, span: Range) -> _Node:
    """The node, which was made here, with a position."""
    made: Any = node
    made.lineno, made.col_offset = position_of(work, span.start)
    made.end_lineno, made.end_col_offset = position_of(work, max(span.end, span.start))
    return node


def clamped(work: Work, node: _Node, span: Range) -> _Node:
    """The node, whose text was completed, with no position after what is really there."""
    limit = position_of(work, span.end)
    for below in gast.walk(node):
        child: Any = below
        if not hasattr(child, "lineno"):
            continue
        if (child.lineno, child.col_offset) > limit:
            child.lineno, child.col_offset = limit
        if (child.end_lineno, child.end_col_offset) > limit:
            child.end_lineno, child.end_col_offset = limit
    return node


def position_of(work: Work, offset: int) -> tuple[int, int]:
    """1-based line and column in bytes, as nodes have them."""
    line = work.lines.line_of(offset)
    return line + 1, _bytes_between(work, work.lines.starts[line], offset)


def end_at_last(node: gast.AST, bodies: Sequence[Sequence[gast.AST]]) -> None:
    """Let a compound statement end where the last statement of its bodies does."""
    made: Any = node
    for body in reversed(bodies):
        if body:
            last: Any = body[-1]
            if isinstance(last, gast.match_case):
                last = last.body[-1]
            made.end_lineno, made.end_col_offset = last.end_lineno, last.end_col_offset
            return


_LONGEST_REPAIR = 4_000
_MOST_TARGETS = 4
_FIRST_WORD = re.compile(r"\w+")
_ALONE: dict[str, type[gast.stmt]] = {
    "import": gast.Pass,
    "from": gast.Pass,
    "global": gast.Pass,
    "nonlocal": gast.Pass,
    "pass": gast.Pass,
    "break": gast.Break,
    "continue": gast.Continue,
}


def _name_node(work: Work, parts: tuple[str, ...], span: Range) -> gast.expr:
    end = span.start + len(parts[0])
    node: gast.expr = placed(work, gast.Name(parts[0], gast.Load(), None, None), Range(span.start, end))
    for part in parts[1:]:
        end += 1 + len(part)
        node = placed(work, gast.Attribute(node, part, gast.Load()), Range(span.start, end))
    return node


def _bytes_between(work: Work, start: int, end: int) -> int:
    piece = work.text[start:end]
    return len(piece) if piece.isascii() else len(piece.encode("utf-8", "surrogatepass"))
