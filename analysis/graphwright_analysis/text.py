"""Ranges and the line index: how a place in a text is named.

A place is an offset into a `str`.
Nothing else in the analysis counts lines or columns; conversion to an editor's columns happens in the server.
"""

from __future__ import annotations

import bisect
import functools
import re
from itertools import accumulate
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")
_OTHER_END = re.compile("[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Besides LF, what `str.splitlines` takes for the end of a line."""


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of(text: str) -> frozenset[str]:
    """The words of a text or an identifier (`numTraces`, `num_traces`), in lower case."""
    return frozenset(word.lower() for word in _WORD.findall(text))


class Range(NamedTuple):
    """A half-open span of offsets; a tuple, because so many are made and compared."""

    start: int
    end: int

    def shifted(self, by: int) -> Range:
        return Range(self.start + by, self.end + by)

    def contains(self, offset: int) -> bool:
        """Whether a cursor at `offset` touches the range (its end included)."""
        return self.start <= offset <= self.end

    def overlaps(self, other: Range) -> bool:
        return self.start <= other.end and other.start <= self.end


class LineIndex:
    """Where the lines of a text begin, by Python's own idea of a line end (LF, CR LF, CR)."""

    def __init__(self, text: str) -> None:
        self.text = text

    @functools.cached_property
    def starts(self) -> list[int]:
        """The offset of each line; many a text is never asked for them."""
        return _line_starts(self.text)

    @property
    def end(self) -> int:
        """The offset after the last line."""
        return len(self.text)

    def line_of(self, offset: int) -> int:
        """The 0-based line that holds `offset`."""
        return bisect.bisect_right(self.starts, offset) - 1

    def line_column(self, offset: int) -> tuple[int, int]:
        """0-based line and column, the column in code points."""
        line = self.line_of(offset)
        return line, offset - self.starts[line]

    def line_range(self, line: int) -> Range:
        """The span of a 0-based line without its line end."""
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return Range(start, start + len(self.text[start:end].rstrip("\r\n")))

    def offset(self, line: int, column: int) -> int:
        """The offset of a 0-based line and code point column, clamped into the text and the line."""
        if line >= len(self.starts):
            return len(self.text)
        span = self.line_range(max(line, 0))
        return min(span.start + max(column, 0), span.end)

    def offset_of_utf8(self, line: int, byte_column: int) -> int:
        """The offset that Python's parser means: 1-based `line`, column in UTF-8 bytes."""
        start = self.starts[line - 1]
        piece = self.text[start : start + byte_column]
        if piece.isascii():
            return start + byte_column
        encoded = piece.encode("utf-8", "surrogatepass")[:byte_column]
        return start + len(encoded.decode("utf-8", "ignore"))


def _line_starts(text: str) -> list[int]:
    if _OTHER_END.search(text) is not None:
        return [0, *(match.end() for match in _LINE_END.finditer(text))]
    starts = [0, *accumulate(map(len, text.splitlines(keepends=True)))]
    if text and text[-1] != "\n":
        starts.pop()
    return starts
