"""Completes half-typed code as text, and tells where in broken code its parts are.

It knows tokens only: whether what it proposes parses is for the caller to try.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from graphwright_analysis.immutability import immutable
from graphwright_analysis.text import Range

from .blocks import is_closed, tokens


def repairs(code: str) -> Iterator[str]:
    """Texts that the code may have been meant as, the likeliest first; offsets into the code stay true."""
    base, closers = _closed(code)
    trimmed = base.rstrip(" \t\f\r\n.,:;=+-*/%<>&|^~@!\\")
    seen = {code}
    for candidate in (
        base + closers,
        base + " ..." + closers,
        trimmed + closers,
        base + ": ..." + closers,
        base + " else ..." + closers,
        base + " ... else ..." + closers,
        base + " in ..." + closers,
    ):
        if candidate not in seen:
            seen.add(candidate)
            yield candidate


def parts_of(text: str, span: Range) -> list[Range]:
    """The statements of a line, cut at its semicolons."""
    parts: list[Range] = []
    start = span.start
    for at in _at_depth_zero(text, span, ";"):
        parts.append(_stripped(text, start, at))
        start = at + 1
    parts.append(_stripped(text, start, span.end))
    return [part for part in parts if part.end > part.start]


def header_colon(text: str, span: Range) -> int | None:
    """Where the colon is that ends a compound statement's header."""
    for at in _at_depth_zero(text, span, ":"):
        if text[at + 1 : at + 2] != "=" and not _LAMBDA.search(text, span.start, at):
            return at
    colons = [at for at in _at_depth_zero(text, span, ":") if text[at + 1 : at + 2] != "="]
    return colons[-1] if colons else None


def without_comment(text: str, span: Range) -> Range:
    """The span without the blanks and comments at its end."""
    end = position = span.start
    for kind, start, stop in tokens(text, span.start, span.end):
        gap = text[position:start].rstrip()
        if gap:
            end = position + len(gap)
        if kind not in "#\r\n\\":
            end = stop
        position = stop
    tail = text[position : span.end].rstrip()
    return Range(span.start, position + len(tail) if tail else end)


def assignment_ends(text: str, span: Range) -> list[int]:
    """After each `=` (or `+=`, ...) that assigns, the last one first."""
    found = [
        at
        for at in _at_depth_zero(text, span, "=")
        if (text[at + 1 : at + 2] != "=" and text[at - 1 : at] not in ("=", "!", "<", ">", ":")) or _is_shift(text, at)
    ]
    return [at + 1 for at in reversed(found)]


@immutable
class NameRead:
    """A name, perhaps with attributes, where it is read."""

    parts: tuple[str, ...]
    range: Range


def names_read(text: str, span: Range) -> list[NameRead]:
    """What looks like a name that is read, outside of strings; not the names of keyword arguments."""
    found: list[NameRead] = []
    for gap, depth in _gaps(text, span):
        for match in _DOTTED.finditer(text, gap.start, gap.end):
            parts = tuple(part.strip() for part in match.group().split("."))
            if text[match.start() - 1 : match.start()] == "." and match.start() > span.start:
                continue
            if keyword.iskeyword(parts[0]) or (depth and _NAMES_AN_ARGUMENT.match(text, match.end())):
                continue
            kept = next((i for i, part in enumerate(parts) if keyword.iskeyword(part)), len(parts))
            found.append(NameRead(parts[: min(kept, _MOST_PARTS)], Range(match.start(), match.end())))
            if len(found) == _MOST_NAMES:
                return found
    return found


_MOST_NAMES = 50
_MOST_PARTS = 10
_DOTTED = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_NAMES_AN_ARGUMENT = re.compile(r"\s*=(?!=)")
_LAMBDA = re.compile(r"\blambda\b")
_CLOSER = {"(": ")", "[": "]", "{": "}"}


def _closed(code: str) -> tuple[str, str]:
    """The code with nothing too much, and what must be appended to close what is open."""
    pieces: list[str] = []
    opened: list[str] = []
    position = 0
    for kind, start, end in tokens(code, 0, len(code)):
        pieces.append(code[position:start])
        piece, position = code[start:end], end
        if kind in "([{":
            opened.append(_CLOSER[kind])
        elif kind in ")]}":
            if opened and opened[-1] == kind:
                opened.pop()
            else:
                piece = " "
        elif kind == "#" and not code[end:].strip():
            piece = ""
        elif kind in "'\"":
            piece += _string_closer(code, start, end)
        pieces.append(piece)
    pieces.append(code[position:])
    return "".join(pieces).rstrip().rstrip("\\").rstrip(), "".join(reversed(opened))


def _string_closer(code: str, start: int, end: int) -> str:
    """What closes a string token, nothing if it is closed."""
    if is_closed(code, start, end):
        return ""
    quote = code[start]
    if code.startswith(quote * 3, start):
        quote *= 3
    body = code[start + len(quote) : end]
    if code[start - 1 : start].lower() != "f" and code[max(start - 2, 0) : start].lower() != "fr":
        return ("\\" if body.endswith("\\") else "") + quote
    opened = body.replace("{{", "").count("{") - body.replace("}}", "").count("}")
    return "}" * max(opened, 0) + quote


def _gaps(text: str, span: Range) -> Iterator[tuple[Range, int]]:
    """What lies between the tokens, each stretch with how many brackets are open there."""
    depth, position = 0, span.start
    for kind, start, end in tokens(text, span.start, span.end):
        if start > position:
            yield Range(position, start), depth
        if kind in "([{":
            depth += 1
        elif kind in ")]}":
            depth = max(depth - 1, 0)
        position = end
    if position < span.end:
        yield Range(position, span.end), depth


def _at_depth_zero(text: str, span: Range, character: str) -> list[int]:
    """Where a character stands outside of brackets, strings and comments."""
    gaps = (gap for gap, depth in _gaps(text, span) if depth == 0)
    return [at for gap in gaps for at in range(gap.start, gap.end) if text[at] == character]


def _is_shift(text: str, at: int) -> bool:
    return text[at - 2 : at] in ("<<", ">>") and text[at + 1 : at + 2] != "="


def _stripped(text: str, start: int, end: int) -> Range:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return Range(start, max(start, start + len(piece.strip())))
