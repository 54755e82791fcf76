"""The logical lines of a text as a forest, along their indentation and forgiving where it is wrong.

It parses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from graphwright_analysis.text import Range

from .blocks import first_word, logical_lines
from .headers import HEADERS
from .repair import without_comment


@dataclass(slots=True)
class LineTree:
    """A logical line and the lines that are indented under it."""

    start: int
    code: int
    end: int
    width: int
    word: str
    children: list[LineTree] = field(default_factory=lambda: list["LineTree"]())

    @property
    def line(self) -> Range:
        return Range(self.code, self.end)

    @property
    def last_end(self) -> int:
        node = self
        while node.children:
            node = node.children[-1]
        return node.end


def outline(text: str) -> list[LineTree]:
    """The lines that nothing is above, with those indented under them."""
    roots: list[LineTree] = []
    levels: list[tuple[int, list[LineTree]]] = []
    for line in logical_lines(text):
        node = LineTree(line.start, line.code, line.end, line.width, first_word(text, line.code))
        if not levels:
            levels.append((line.width, roots))
        width, siblings = levels[-1]
        if line.width > width and siblings and _opens(text, siblings[-1]):
            levels.append((line.width, siblings[-1].children))
        else:
            # A dedent to a column that no line had stays with the inner lines.
            while len(levels) > 1 and line.width < levels[-1][0] and line.width <= levels[-2][0]:
                levels.pop()
        levels[-1][1].append(node)
    return roots


def _opens(text: str, node: LineTree) -> bool:
    """Whether deeper lines may follow: a header, known or not."""
    if node.word in HEADERS and node.word not in ("match", "case"):
        return True
    code = without_comment(text, node.line)
    if text[code.end - 1 : code.end] == ":":
        return True
    return node.word in ("match", "case") and "=" not in text[code.start : code.end]


def lines_of(text: str, nodes: list[LineTree]) -> Iterator[str]:
    """The lines of code, without the bodies of functions and classes: these bind names of their own."""
    pending = nodes[::-1]
    while pending:
        node = pending.pop()
        yield text[node.code : node.end]
        if node.word not in ("def", "async def", "class"):
            pending.extend(reversed(node.children))
