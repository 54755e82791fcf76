"""What the user's code has printed, line by line: passed on up to a limit, and kept for the report up to a lower one.

It reads no stream.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from graphwright.agent import wire

from .agent_reports import cleaned

LONGEST_LINE = 2000
_MOST_KEPT = 48 * 1024
_TAIL = 16 * 1024
_NOISE = re.compile(r"^(WARNING: All log messages before absl|[IW]\d{4} \d\d:\d\d:\d\d|\d+\.\d+ +\d+ port\.cc)")


class Output:
    """All that was printed where it isn't much, else its beginning; and its end."""

    def __init__(self, listener: Callable[[str], None]) -> None:
        self._listener = listener
        self._head: list[str] = []
        self._kept = self._size = self._passed = self._left_out = 0
        self._rest = ""
        self.tail = ""

    def add(self, text: str) -> None:
        """Take a piece in."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._add(line)
        if len(self._rest) > wire.MOST_OUTPUT:
            self._end_line()

    def leave_out(self, size: int) -> None:
        """Count what was printed beyond the limit."""
        self._left_out += size

    def end(self) -> None:
        """Take in what has no end of a line, and say what wasn't passed on."""
        self._end_line()
        cut = self._size + self._left_out - self._passed
        if cut:
            self._listener(f"... cut: {cut:,} more characters")

    @property
    def text(self) -> str:
        text = "".join(self._head)
        left_out = self._size + self._left_out - len(text)
        return f"{text}\n... cut: {left_out:,} more characters\n" if left_out > 0 else text

    def _end_line(self) -> None:
        rest, self._rest = self._rest, ""
        if rest:
            self._add(rest, "")

    def _add(self, printed: str, end: str = "\n") -> None:
        # A terminal shows what was written over the rest of a line.
        line = cleaned(printed.rstrip("\r").rpartition("\r")[2], wire.MOST_OUTPUT)
        if _NOISE.match(line):
            return
        if self._size < wire.MOST_OUTPUT:
            self._passed += len(line) + len(end)
            self._listener(line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ...")
        kept = (line + end)[: max(_MOST_KEPT - self._kept, 0)]
        self._head.append(kept)
        self._kept += len(kept)
        self._size += len(line) + len(end)
        self.tail = (self.tail + line + end)[-_TAIL:]
