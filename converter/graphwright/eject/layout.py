"""Calls as they are laid out in ejected code: on one line if they are short, else an argument a line.

What is called isn't decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphwright.passes.brackets import has_comma, is_enclosed
from graphwright.passes.operators import Piece
from graphwright.passes.unit import flat, line_end
from graphwright.passes.writing import WIDTH

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering


def write_call(lowering: Lowering, head: str, pieces: Sequence[Piece], line: int) -> None:
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
    taken = [each for each in arguments if each not in piece.left_out]
    return f"lambda: {piece.text}({', '.join(taken)})" if taken else piece.text


def as_argument(text: str) -> str:
    """A condition without the brackets around it, which an argument doesn't need."""
    return text[1:-1] if text.startswith("(") and is_enclosed(text) and not has_comma(text[1:-1]) else text
