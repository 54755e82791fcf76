"""The source text of places, as messages quote it and as edits wrap it."""

from __future__ import annotations

import re

from graphwright_analysis.text import words_of
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import Argument
from graphwright_analysis.values.domain import Constant

_LONGEST = 50


def text_of(place: Place) -> str:
    return place.block.text[place.range.start : place.range.end]


def quoted(place: Place) -> str:
    """The expression at a place in backquotes; `this` where it is too long to be quoted."""
    text = text_of(place)
    return f"`{text}`" if len(text) <= _LONGEST and "\n" not in text else "this value"


def subject(symbol: str) -> str:
    """A name in backquotes; words such as "the state" as they are."""
    return symbol if " " in symbol else f"`{symbol}`"


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def words_written(argument: Argument) -> frozenset[str]:
    """The words of a text that is written out, without those of what is put into it."""
    if isinstance(argument.value, Constant) and isinstance(argument.value.value, str):
        return words_of(argument.value.value)
    written = text_of(argument.place)
    return words_of(_FIELD.sub(" ", written)) if _F_STRING.match(written) else frozenset()


_F_STRING = re.compile(r"(?:[fF][rR]?|[rR][fF])['\"]")
_FIELD = re.compile(r"\{[^{}]*\}")
