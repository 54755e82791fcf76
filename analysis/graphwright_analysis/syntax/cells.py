"""Notebook cells as one program: what only IPython understands is made blank, and each cell is parsed by itself.

It reads no notebook files.

Every offset stays where it is: blanks are as long as what they replace.
A bracket or a string that is left open in one cell takes nothing of the next.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from .block import Module
from .blocks import BlockCut, cut, logical_lines
from .parse import Spare, module_of

NAMES_FROM_OUTSIDE = "#\ue000"
"""A comment that stands where a magic stood that may bind any name, as an import of `*` does."""

# Cell magics whose body runs as Python among the notebook's own names; the body of any other is no Python of ours.
_PYTHON_CELLS = frozenset(
    {"capture", "debug", "gw", "ipytest", "memit", "mprun", "prun", "pypy", "scalene", "time", "timeit"}
)
_CELL_MAGIC = re.compile(r"\s*%%(\w*)[^\r\n]*")
_MAY_HOLD_MAGIC = re.compile(r"^[ \t]*[%!?/,;]|\?[ \t]*$|=[ \t]*[%!]", re.MULTILINE)
_MAGIC = re.compile(r"[ \t]*(?:[%!?/,;]|[%\w.*\[\]]+\?{1,2}[ \t]*\r?$)(?:\\\r?\n|[^\r\n])*", re.MULTILINE)
_BINDS_NAMES = re.compile(r"%(?:run|pylab|load|loadpy|store|reload_ext|macro)\b")
_TIMED = re.compile(r"[ \t]*(%time(?:it)?[ \t])(?![ \t]*(?:-|\r?$|(?:for|while|with|if|def|class|try|async)\b))", re.M)
_ASSIGNED = re.compile(r"[ \t]*[A-Za-z_][\w.\[\], \t*]*=[ \t]*([%!](?:\\\r?\n|[^\r\n])*)")
_INDENTED = re.compile(r"(?:[ \t]*(?:[ \t]#[^\r\n]*)?(?:\r\n?|\n))*( +)(?=[^\s#])")
_MARGIN = "\f"
"""Python counts the columns of a line's indentation from here on, so nothing needs to move."""
_MARGIN_OF_LINE = re.compile(f"^{_MARGIN}+", re.MULTILINE)
_VISIBLE = re.compile(r"[^\r\n]")


@functools.lru_cache(maxsize=1024)
def python_of_cell(text: str) -> str:
    """A cell's text with blanks, or what does nothing, where Python alone would understand nothing."""
    cell_magic = _CELL_MAGIC.match(text)
    position = body = 0
    if cell_magic is not None:
        if cell_magic.group(1) not in _PYTHON_CELLS:
            return _blank(text)
        text = _blank(cell_magic.group()) + text[cell_magic.end() :]
        body = _behind_line_end(text, cell_magic.end())
    while _MAY_HOLD_MAGIC.search(text, position):
        text, position = _next_line(text, position)
    return _at_the_margin(text, body)


def code_for_cell(cell: str, at: int, code: str) -> str:
    """Code as it is inserted into a cell at an offset: where the cell is indented, its new lines are as well."""
    margin = _MARGIN_OF_LINE.search(python_of_cell(cell))
    if margin is None or cell.startswith(_MARGIN, margin.start()):
        return code
    first, *more = re.split(r"(?<=\n)", code)
    is_line = at == 0 or cell[at - 1] in "\r\n"
    indent = " " * len(margin.group())
    return "".join([_indented(first, indent) if is_line else first, *(_indented(line, indent) for line in more)])


def parse_cells(cells: Sequence[str], previous: Module | None = None) -> Module:
    """The module of cells one after the other; blocks of `previous` with the same text are used again. Never raises."""
    spare = Spare(previous.blocks if previous else ())
    blocks = spare.blocks([(cell, piece) for cell in cells for piece in _cuts(cell)])
    text = "".join(cells)
    # Whoever cuts this text without its seams must begin again: every cut looked at all of it.
    return module_of(text, tuple(blocks), (len(text) + 1,) * len(blocks))


@functools.lru_cache(maxsize=1024)
def _cuts(cell: str) -> tuple[BlockCut, ...]:
    return tuple(cut(cell))


def _next_line(text: str, position: int) -> tuple[str, int]:
    """The text with the next logical line made Python, and where the one after it begins."""
    magic = _MAGIC.match(text, position)
    if magic is not None and magic.group().strip():
        timed = _TIMED.match(text, position)
        if timed is not None:
            # `%time x = f()` runs its rest as a statement here.
            start, end = timed.span(1)
            return text[:start] + "0;".ljust(end - start) + text[end:], end
        quiet = _quiet(magic.group())
        return text[:position] + quiet + text[magic.end() :], _behind_line_end(text, magic.end())
    assigned = _ASSIGNED.match(text, position)
    if assigned is not None:
        start, end = assigned.span(1)
        # The last output's name: nothing is known of it.
        return text[:start] + "_" + _blank(text[start + 1 : end]) + text[end:], _behind_line_end(text, end)
    line = next(logical_lines(text, position), None)
    if line is None:
        return text, len(text)
    if line.start > position:
        return text, line.start
    return text, max(line.end, position + 1)


def _quiet(magic: str) -> str:
    """Blanks for a line at the margin; a statement that does nothing for one that may be all of a body."""
    if _BINDS_NAMES.match(magic):
        return NAMES_FROM_OUTSIDE + _blank(magic[len(NAMES_FROM_OUTSIDE) :])
    if magic[0] not in " \t":
        return _blank(magic)
    indent = len(magic) - len(magic.lstrip())
    return magic[:indent] + "0" + _blank(magic[indent + 1 :])


def _at_the_margin(text: str, start: int) -> str:
    """IPython takes the indentation that all lines of a cell have, so they are at the margin here too."""
    first = _INDENTED.match(text, start)
    if first is None:
        return text
    indent, pieces, position = first.group(1), list[str](), 0
    for line in logical_lines(text, start):
        if text.startswith(indent, line.start):
            pieces += text[position : line.start], _MARGIN * len(indent)
            position = line.start + len(indent)
    return "".join(pieces) + text[position:]


def _indented(line: str, indent: str) -> str:
    return indent + line.lstrip(_MARGIN) if line.startswith(_MARGIN) or line.strip() else line


def _blank(text: str) -> str:
    return _VISIBLE.sub(" ", text)


def _behind_line_end(text: str, end: int) -> int:
    if text.startswith("\r\n", end):
        return end + 2
    return min(end + 1, len(text))
