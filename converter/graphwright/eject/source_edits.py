"""Replaces parts of a function's text, by node; what is replaced, and with what, is decided elsewhere."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping
from typing import Any

import gast
from graphwright_analysis.flow.tree import children

from graphwright.eject.flags import FlaggedText
from graphwright.eject.quotes import outside_of_quotes
from graphwright.passes.unit import parents_in


class Unsuited(Exception):
    """Something is used in a way that can't be written otherwise."""


def with_texts(text: str, values: Mapping[str, str]) -> str:
    """An expression with texts for names, as it is written."""
    for name, value in values.items():
        change = functools.partial(re.sub, rf"(?<![\w.]){name}\b(?!\s*=[^=])", lambda _, value=value: value)
        text = outside_of_quotes(text, change)
    return text


def free_name(name: str, taken: Collection[str]) -> str:
    """A name that isn't taken: this one if it can be."""
    return next(each for each in (name, *(f"{name}_{n}" for n in range(2, len(taken) + 3))) if each not in taken)


def is_weak(test: gast.AST) -> bool:
    """Whether a condition needs brackets behind `and`."""
    return isinstance(test, (gast.IfExp, gast.Lambda, gast.NamedExpr)) or (
        isinstance(test, gast.BoolOp) and isinstance(test.op, gast.Or)
    )


class SourceEdits:
    """The text of one function, in which `replaced` gives the texts of some nodes."""

    def __init__(self, text: str, function: Any) -> None:
        if not text.isascii():
            raise Unsuited
        self.text, self.function = text, function
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.parents = parents_in(function)

    def replaced(self, node: Any) -> str | None:
        """What is written instead of a node; None to look at what is in it."""
        raise NotImplementedError

    def edits(self, node: Any) -> list[tuple[int, int, str]]:
        """What is replaced in a node: from where to where, by which text."""
        text = self.replaced(node)
        if text is not None:
            return [(*self.span(node), text)]
        return [edit for child in children(node) for edit in self.edits(child)]

    def result(self) -> FlaggedText:
        """The whole text, with the line that each of its lines comes from."""
        pieces, numbers, position = list[str](), list[int](), 0
        for start, end, text in [*sorted(self.edits(self.function)), (len(self.text), len(self.text), "")]:
            for piece, is_own in ((self.text[position:start], True), (text, False)):
                line = self.text.count("\n", 0, position if is_own else start) + 1
                pieces.append(piece)
                numbers += [line + number if is_own else line for number in range(piece.count("\n"))]
            position = end
        return FlaggedText("".join(pieces).rstrip("\n") + "\n", tuple(numbers))

    def span(self, node: Any) -> tuple[int, int]:
        """The offsets of a node in the text."""
        start, end = self.starts[int(node.lineno) - 1], self.starts[int(node.end_lineno) - 1]
        return start + int(node.col_offset), end + int(node.end_col_offset)

    def read(self, node: Any) -> str:
        """The text of an expression, with what is replaced in it."""
        start, end = self.span(node)
        text, position = "", start
        for first, last, replaced in sorted(self.edits(node)):
            text, position = text + self.text[position:first] + replaced, last
        return text + self.text[position:end]
