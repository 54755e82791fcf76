"""From the protocol's positions to offsets: one of the two places that know how an editor counts columns.

Nothing here fails: a position outside the text is taken as the nearest one inside.
"""

from __future__ import annotations

from graphwright_analysis import LineIndex, Range
from lsprotocol import types

from .columns import Encoding, width_in


def offset_of(position: types.Position, lines: LineIndex, encoding: Encoding) -> int:
    """The offset of a position."""
    if position.line >= len(lines.starts):
        return lines.end
    span = lines.line_range(position.line)
    text = lines.text[span.start : span.end]
    if encoding is Encoding.UTF32 or text.isascii():
        return min(span.start + position.character, span.end)
    return span.start + _characters(text, position.character, encoding)


def range_of(span: types.Range, lines: LineIndex, encoding: Encoding) -> Range:
    """The range of a span; one given backwards is turned around."""
    start, end = offset_of(span.start, lines, encoding), offset_of(span.end, lines, encoding)
    return Range(min(start, end), max(start, end))


def document_in(params: object) -> str | None:
    """The document that a request of our own is about; None where it doesn't say that well."""
    uri: object = getattr(getattr(params, "textDocument", None), "uri", None)
    return uri if isinstance(uri, str) else None


def place_in(params: object) -> tuple[str, types.Position] | None:
    """The document and the position that a request of our own is about; None where it doesn't say that well."""
    uri = document_in(params)
    position: object = getattr(params, "position", None)
    line, character = getattr(position, "line", None), getattr(position, "character", None)
    if uri is None or not isinstance(line, int) or not isinstance(character, int):
        return None
    return uri, types.Position(max(line, 0), max(character, 0))


def changed_text(lines: LineIndex, change: types.TextDocumentContentChangeEvent, encoding: Encoding) -> str:
    """The text after one change as the client reports it."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    place = range_of(change.range, lines, encoding)
    return lines.text[: place.start] + change.text + lines.text[place.end :]


def _characters(text: str, units: int, encoding: Encoding) -> int:
    """How many characters fit into so many units; half a character counts as none."""
    used = 0
    for count, character in enumerate(text):
        used += width_in(character, encoding)
        if used > units:
            return count
    return len(text)
