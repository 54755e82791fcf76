"""Writes generated lines, each with the user's line that it comes from.

What the lines say isn't known here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from graphwright.passes.unit import LINE_END

WIDTH = 100


@dataclass(slots=True)
class Writer:
    """Lines with their user lines; `shift` is the column at which the next line stands."""

    lines: list[tuple[str, int]] = field(default_factory=lambda: list[tuple[str, int]]())
    column: int = 0

    def inner(self) -> Writer:
        """A writer for an indented block, whose lines are added when it is done."""
        return Writer([], self.column + 4)

    def add(self, text: str, line: int, came_from: int | None = None) -> None:
        """Add text that may hold marked line ends; `came_from` is the column where it stood in the source."""
        indent = " " * self.column
        shift = 0 if came_from is None else self.column - came_from
        position = 0
        prefix, current = indent, line
        for match in LINE_END.finditer(text):
            self.lines.append((prefix + text[position : match.start()], current))
            position, current, how = match.end(), int(match.group(1)), match.group(2)
            if how and how.startswith(">"):
                prefix = indent + " " * int(how[1:])
            elif how == "!":
                prefix = ""
            else:
                prefix, position = _moved(text, position, shift)
        self.lines.append(((prefix + text[position:]).rstrip() if position else prefix + text[position:], current))

    def extend(self, other: Writer) -> None:
        self.lines.extend(other.lines)


def _moved(text: str, position: int, shift: int) -> tuple[str, int]:
    """The blanks in front of a line of the user's, and where the line goes on after them."""
    end = position
    while end < len(text) and text[end] in " \t":
        end += 1
    return " " * max(len(text[position:end].expandtabs(8)) + shift, 0), end
