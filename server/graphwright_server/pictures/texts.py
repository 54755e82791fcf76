"""Texts in a picture: how wide they are in its one font, cut and broken so that they fit, and escaped for SVG."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

CODE, SMALL, TINY = 12.0, 11.0, 10.0
"""The sizes of the font, which is the editor's and of even width."""

_ADVANCE = 0.602


def width(text: str, size: float) -> float:
    return columns(text) * size * _ADVANCE


def columns(text: str) -> int:
    return sum(_columns(character) for character in text)


def cut(text: str, most: int) -> str:
    """The text, or as much of it as fits into so many columns."""
    if columns(text) <= most:
        return text
    used, kept = 0, list[str]()
    for character in text:
        used += _columns(character)
        if used > most - 1:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def broken(parts: list[str], most: int, rows: int) -> list[str]:
    """Parts on as many rows as they need, of which no more than so many are given."""
    found = list(_rows(parts, most))
    if len(found) <= rows:
        return [", ".join(row) + ("," if index < len(found) - 1 else "") for index, row in enumerate(found)]
    left = sum(len(row) for row in found[rows - 1 :])
    return [*(", ".join(row) + "," for row in found[: rows - 1]), f"and {left} more kinds"]


def _rows(parts: list[str], most: int) -> Iterator[list[str]]:
    row: list[str] = []
    for part in parts:
        if row and columns(", ".join([*row, part])) > most:
            yield row
            row = []
        row.append(cut(part, most))
    if row:
        yield row


def escaped(text: str) -> str:
    """The text as SVG has it; what XML can't hold is left out."""
    kept = "".join(each for each in text if each in "\t\n\r" or (each >= " " and not _is_banned(each)))
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _is_banned(character: str) -> bool:
    return 0xD800 <= ord(character) <= 0xDFFF or character in "\ufffe\uffff"


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
