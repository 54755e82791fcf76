"""Cuts a class into its header, its methods and what stands between them, so that each can be parsed by itself.

It parses nothing; a text that isn't clearly one class is left whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphwright_analysis.immutability import immutable

from .blocks import LogicalLine, clauses_of, first_word

_DEFINITIONS = ("def", "async def", "class")


@immutable
class ClassCut:
    """Where the header of a class begins and ends, how deep its body is indented, and where each member is.

    Comments and blank lines between members belong to none.
    """

    header: tuple[int, int]
    indent: str
    members: tuple[tuple[int, int], ...]


def cut_class(text: str, logical: Sequence[LogicalLine]) -> ClassCut | None:
    """The parts of a top-level block with these lines that is a class with methods; None for any other."""
    lines = iter(logical)
    start, header = None, None
    for line in lines:
        word = first_word(text, line.code)
        start = line.start if start is None else start
        if line.width or word not in ("@", "class"):
            return None
        if word == "class":
            header = line
            break
    body = list(lines)
    if start is None or header is None or not body or body[0].width == 0:
        return None
    width = body[0].width
    if any(line.width < width for line in body):
        return None
    statements = list(_statements(text, body, width))
    if not any(statement.defines for statement in statements):
        return None
    return ClassCut((start, header.end), text[body[0].start : body[0].code], tuple(_members(statements)))


@dataclass(slots=True)
class _Statement:
    start: int
    end: int
    word: str
    defines: bool


def _statements(text: str, body: list[LogicalLine], width: int) -> Iterator[_Statement]:
    """The statements of a body, each with its decorators and clauses."""
    current: _Statement | None = None
    for line in body:
        word = first_word(text, line.code) if line.width == width else ""
        if current is not None and (line.width > width or _goes_on(current, word)):
            current.end = line.end
            if current.word == "@" and word != "@" and line.width == width:
                current.word, current.defines = word, True
            continue
        if current is not None:
            yield current
        current = _Statement(line.start, line.end, word, word in _DEFINITIONS)
    if current is not None:
        yield current


def _goes_on(statement: _Statement, word: str) -> bool:
    if statement.word == "@":
        return word == "@" or word in _DEFINITIONS
    return word in clauses_of(statement.word)


def _members(statements: list[_Statement]) -> Iterator[tuple[int, int]]:
    """Each definition by itself, and what stands between two of them together."""
    begun: int | None = None
    end = 0
    for statement in statements:
        if statement.defines:
            if begun is not None:
                yield begun, end
                begun = None
            yield statement.start, statement.end
        else:
            begun = statement.start if begun is None else begun
            end = statement.end
    if begun is not None:
        yield begun, end
