"""Calls as they are laid out in ejected code: on one line if they are short, else an argument a line.

What is called isn't decided here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from graphwright.passes.operators import Piece
from graphwright.passes.unit import flat, line_end
from graphwright.passes.writing import WIDTH


def write_call(lowering: Any, head: str, pieces: Sequence[Piece], line: int) -> None:
    """`head piece, piece, ...)`."""
    whole = head + ", ".join(piece.text for piece in pieces) + ")"
    if flat(whole) and len(whole) + lowering.writer.column <= WIDTH:
        lowering.line(whole, line)
        return
    text = head
    for piece in pieces:
        text += f"{line_end(piece.line, 4)}{piece.text},"
    lowering.line(f"{text}{line_end(line, 0)})", line)


def thunk(piece: Piece, arguments: Sequence[str]) -> str:
    """A function that was written with parameters, as one without."""
    if piece.expression is not None:
        return f"lambda: {piece.expression}"
    if piece.text.startswith("lambda: "):
        return piece.text
    return f"lambda: {piece.text}({', '.join(arguments)})" if arguments else piece.text


def top_level(text: str) -> list[str]:
    """The parts of text between the commas that stand in no brackets and belong to no lambda."""
    parts: list[str] = []
    depth = start = 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        elif token == "lambda" and depth == 0:
            return [text]
        elif token == "," and depth == 0:
            parts.append(text[start : match.start()].strip())
            start = match.end()
    return [*parts, text[start:].strip()]


_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\blambda\b|[()\[\]{},]")
