"""The source text of places, as messages quote it and as edits wrap it."""

from __future__ import annotations

from graphwright_analysis.tracing import Place

_LONGEST = 50


def text_of(place: Place) -> str:
    return place.block.text[place.range.start : place.range.end]


def quoted(place: Place) -> str:
    """The expression at a place in backquotes; `this` where it is too long to be quoted."""
    text = text_of(place)
    return f"`{text}`" if len(text) <= _LONGEST and "\n" not in text else "this value"


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
