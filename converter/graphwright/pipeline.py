"""From the source of one function to the source of its graph version, with the user's line for every line.

Nothing is imported, evaluated or run here, and TensorFlow isn't needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from graphwright.errors import ConversionError
from graphwright.passes.functions import lower_entity
from graphwright.passes.style import GRAPHWRIGHT, Style
from graphwright.passes.unit import Unit
from graphwright.shown_text import with_notes


@dataclass(frozen=True, slots=True)
class FunctionSource:
    """A function as it was written, and what is known of the place where it stands.

    `text` parses on its own and `node` is the function or lambda in it; line L of the text is line
    `first_line + L - 1` of `file`.
    `free` are the names that the function takes from functions around it, `library` the dotted names in scope
    that never need conversion.
    """

    text: str
    node: gast.AST
    first_line: int
    file: str
    class_name: str | None = None
    free: frozenset[str] = frozenset()
    library: frozenset[str] = frozenset()
    recursive: bool = True


@dataclass(frozen=True, slots=True)
class Generated:
    """Generated source: `lines[i]` is the user's line, in the file, that line i of `text` comes from.

    `alias` is the name by which the text refers to Graphwright.
    """

    text: str
    lines: tuple[int, ...]
    alias: str = "gw"


def generate(source: FunctionSource, style: Style = GRAPHWRIGHT, pairs: bool = False) -> Generated:
    """Convert one function, in Graphwright's spelling or another.

    With `pairs` it is what runs: where Python decides, the user's own statements, see `passes.pairs`.
    Raises ConversionError with the construct and its line where that can't be.
    """
    names = source.free, source.library
    unit = Unit(source.text, source.node, source.class_name, *names, source.recursive, style, pairs)
    try:
        lines = lower_entity(unit)
    except ConversionError as error:
        if error.file:
            raise
        raise ConversionError(error.reason, source.file, source.first_line + error.line - 1) from None
    shift = source.first_line - 1
    text = "\n".join(line for line, _ in lines) + "\n"
    numbers = tuple(line + shift for _, line in lines)
    if not pairs and style is GRAPHWRIGHT:
        text, numbers = with_notes(text, numbers, unit.alias)
    return Generated(text, numbers, unit.alias)
