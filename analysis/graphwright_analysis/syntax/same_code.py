"""Two texts with the same code: they differ in blank lines, comments and blanks at the ends of lines alone.

Such a text needs no parsing: it has the tree of the other one, whose places have moved.
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from graphwright_analysis.immutability import immutable
from graphwright_analysis.text import Range

from .blocks import CONFLICT_MARKER, LogicalLine, tokens


@immutable
class Moves:
    """Where the logical lines of one text begin, and where the same lines begin in the other."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    def at(self, offset: int) -> int:
        """Where a place in the code is in the other text."""
        line = max(bisect.bisect_right(self.before, offset) - 1, 0)
        return max(offset - self.before[line] + self.after[line], 0)

    def range(self, span: Range) -> Range:
        """Where a stretch is in the other text; it ends with the code that it ended with."""
        start = self.at(span.start)
        return Range(start, max(self.at(span.end - 1) + 1, start) if span.end > span.start else start)


UNMOVED = Moves((0,), (0,))


def code_in(text: str, lines: Sequence[LogicalLine]) -> tuple[str, ...] | None:
    """The code of each logical line with its indentation; None where more hangs on the text than its code."""
    if "\0" in text or "\ufeff" in text or not lines or CONFLICT_MARKER.search(text) is not None:
        return None
    return tuple(_code(text, line) for line in lines)


def moves(before: Sequence[LogicalLine], after: Sequence[LogicalLine]) -> Moves:
    """How the places of one text move to those of another that has the same code."""
    return Moves(tuple(line.start for line in before), tuple(line.start for line in after))


class Code(NamedTuple):
    """A text without comments and blank lines; `bare` is without strings of several lines as well."""

    whole: str
    bare: str


@functools.lru_cache(maxsize=256)
def code_of(text: str) -> Code:
    """The code of a text; it is often asked for again at once, for another question."""
    whole: list[str] = []
    bare: list[str] = []
    position, between = 0, ""
    for kind, start, end in tokens(text, 0, len(text), brackets=False):
        between += text[position:start]
        position = end
        if kind != "#":
            code = _LINE_ENDS.sub("\n", between) if "\n" in between else between
            whole += code, text[start:end]
            bare += (code,) if text.startswith(kind * 3, start) else (code, text[start:end])
            between = ""
    rest = _LINE_ENDS.sub("\n", between + text[position:])
    return Code("".join([*whole, rest]).strip(), "".join([*bare, rest]).strip())


_LINE_ENDS = re.compile(r"(?:[ \t\f]*\r?\n)+")


def _code(text: str, line: LogicalLine) -> str:
    """A line without its end and the comment there; what is inside of brackets stays."""
    end = line.end
    if text.find("#", line.code, end) >= 0:
        for kind, begin, behind in tokens(text, line.code, line.end, brackets=False):
            if kind == "#" and not text[behind : line.end].strip():
                end = begin
    code = text[line.start : end]
    bare = code.rstrip()
    # Behind a backslash a blank is no longer nothing.
    return code if bare.endswith("\\") else bare
