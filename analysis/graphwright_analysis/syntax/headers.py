"""Parses the header of one compound statement or clause by itself, completing or standing in for a broken one.

The bodies are not its business: what it returns has a `pass` for a body.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.text import Range

from .repair import header_colon, names_read, repairs, without_comment
from .standins import Work, attempt, clamped, note_broken, parse_at, placed, position_of, salvaged_expression
from .tree import Unparsable

HEADERS = frozenset(
    (
        *(
            "if",
            "elif",
            "else",
            "for",
            "while",
            "with",
            "try",
            "except",
            "finally",
            "def",
            "class",
            "match",
            "case",
        ),
        *("async for", "async with", "async def"),
    )
)


@immutable
class Header:
    """A header up to its colon; `body` is where an inline body would begin, None if the colon is missing."""

    word: str
    span: Range
    body: int | None


def header_of(work: Work, word: str, line: Range) -> Header:
    code = without_comment(work.text, line)
    colon = header_colon(work.text, code)
    if colon is None:
        return Header(word, code, None)
    return Header(word, without_comment(work.text, Range(line.start, colon)), colon + 1)


def opening_statement(work: Work, header: Header, depth: int) -> Any:
    """The statement that an `if`, `elif`, `for`, `while`, `with`, `def`, `class` or `match` opens."""
    kind = header.word.removeprefix("async ")
    skipped = len("el") if kind == "elif" else 0
    code = work.text[header.span.start + skipped : header.span.end]
    suffix = (
        ":\n" + " " * (position_of(work, header.span.start)[1] + 1) + "case _: pass" if kind == "match" else ": pass"
    )
    statement = _first_parse(work, header, _candidates(code, kind), suffix, _CLASSES[kind], depth, skipped=skipped)
    if statement is None:
        statement = _salvaged_opening(work, header, kind)
    return placed(work, statement, header.span) if skipped else statement


def plain_header(work: Work, header: Header) -> None:
    """Note an `else`, `finally` or `try` that says more or less than it should."""
    if work.text[header.span.start : header.span.end] == header.word and header.body is not None:
        return
    work.failure = Unparsable("expected ':'")
    note_broken(work, header.span)


def handler(work: Work, header: Header, depth: int) -> tuple[Any, bool]:
    """The handler that an `except` opens, and whether it is an `except*`."""
    code = work.text[header.span.start : header.span.end]
    statement = _first_parse(
        work, header, _candidates(code, "except"), ": pass", (gast.Try, gast.TryStar), depth, "try: pass"
    )
    if statement is not None:
        return statement.handlers[0], isinstance(statement, gast.TryStar)
    rest = Range(header.span.start + len("except"), header.span.end)
    kind = salvaged_expression(work, rest) if names_read(work.text, rest) else None
    return placed(work, gast.ExceptHandler(kind, None, [placed(work, gast.Pass(), rest)]), header.span), False


def match_case(work: Work, header: Header, depth: int) -> Any:
    """The case of a `match`."""
    code = work.text[header.span.start : header.span.end]
    line = work.lines.line_of(header.span.start)
    column = position_of(work, header.span.start)[1]
    whole = header.body is not None
    for candidate in (code, *repairs(code)):
        source = "match 1:\n" + " " * max(column, 1) + candidate + ": pass"
        statements = attempt(work, source, line - 1, depth, False)
        if not statements or not isinstance(statements[0], gast.Match):
            whole = False
            continue
        if candidate == code and header.body is None:
            work.failure = Unparsable("expected ':'")
        if not whole:
            note_broken(work, header.span)
        return clamped(work, statements[0].cases[0], header.span)
    note_broken(work, header.span)
    anything: Any = placed(work, gast.MatchAs(None, None), header.span)
    guard = salvaged_expression(work, Range(header.span.start + len("case"), header.span.end))
    return gast.match_case(anything, guard, [placed(work, gast.Pass(), header.span)])


def decorator(work: Work, line: Range, depth: int) -> gast.expr | None:
    """The expression of a decorator line; None if nothing can be made of it."""
    span = without_comment(work.text, line)
    code = work.text[span.start : span.end]
    header = Header("@", span, span.end)
    column = position_of(work, span.start)[1]
    suffix = "\n" + " " * column + "def _(): pass"
    statement = _first_parse(work, header, (code, *repairs(code)), suffix, (gast.FunctionDef,), depth)
    return statement.decorator_list[0] if statement is not None and statement.decorator_list else None


_CLASSES: dict[str, tuple[type, ...]] = {
    "if": (gast.If,),
    "elif": (gast.If,),
    "for": (gast.For, gast.AsyncFor),
    "while": (gast.While,),
    "with": (gast.With, gast.AsyncWith),
    "def": (gast.FunctionDef, gast.AsyncFunctionDef),
    "class": (gast.ClassDef,),
    "match": (gast.Match,),
}
_DEFINED_NAME = re.compile(r"(?:async\s+)?(?:def|class)\s+([^\W\d]\w*)")
_PARAMETER = re.compile(r"(?:[(,])\s*(\*{0,2})\s*([^\W\d]\w*)")


def _candidates(code: str, kind: str) -> Iterator[str]:
    yield code
    if kind == "def" and "(" not in code:
        yield code + "()"
    yield from repairs(code)


def _first_parse(
    work: Work,
    header: Header,
    candidates: Iterator[str] | tuple[str, ...],
    suffix: str,
    classes: tuple[type, ...],
    depth: int,
    before: str = "",
    skipped: int = 0,
) -> Any:
    """The statement of the first candidate that parses; the header is noted as broken unless the first one does."""
    for index, candidate in enumerate(candidates):
        statements = parse_at(work, header.span.start + skipped, candidate + suffix, depth, before)
        found = statements[0] if statements and isinstance(statements[0], classes) else None
        if index == 0 and (found is None or header.body is None):
            if found is not None:
                work.failure = Unparsable("expected ':'")
            note_broken(work, header.span)
        if found is not None:
            return found if index == 0 and header.body is not None else clamped(work, found, header.span)
    return None


def _salvaged_opening(work: Work, header: Header, kind: str) -> gast.stmt:
    span = header.span
    body: list[gast.stmt] = [placed(work, gast.Pass(), span)]
    if kind in ("def", "class"):
        match = _DEFINED_NAME.match(work.text, span.start, span.end)
        name = match.group(1) if match else "_"
        if kind == "class":
            return placed(work, gast.ClassDef(name, [], [], body, [], []), span)
        arguments = _salvaged_arguments(work, span)
        make = gast.AsyncFunctionDef if header.word.startswith("async") else gast.FunctionDef
        return placed(work, make(name, arguments, body, [], None, None, []), span)
    test = salvaged_expression(work, Range(min(span.start + len(header.word), span.end), span.end))
    if kind == "match":
        return placed(work, gast.Match(test, []), span)
    if kind == "with":
        return placed(work, gast.With([gast.withitem(test, None)], body, None), span)
    if kind in ("for", "while"):
        return placed(work, gast.While(test, body, []), span)
    return placed(work, gast.If(test, body, []), span)


def _salvaged_arguments(work: Work, span: Range) -> gast.arguments:
    """The parameters that can be made out, without defaults or annotations."""
    positional: list[gast.Name] = []
    starred: dict[str, gast.Name] = {}
    for match in _PARAMETER.finditer(work.text, span.start, span.end):
        node = gast.Name(match.group(2), gast.Param(), None, None)
        placed(work, node, Range(match.start(2), match.end(2)))
        if match.group(1):
            starred.setdefault(match.group(1), node)
        else:
            positional.append(node)
    return gast.arguments(positional, [], starred.get("*"), [], [], starred.get("**"), [])
