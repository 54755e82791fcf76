"""Conditions rewritten so that one bool decides."""

from __future__ import annotations

import re

from graphwright_analysis.tracing import Place

_SIMPLE = re.compile(r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])*\Z")


def wrapped(place: Place, function: str) -> tuple[Place, str]:
    """The expression as the argument of a function."""
    return place, f"{function}({_text(place)})"


def compared_with_zero(place: Place) -> tuple[Place, str]:
    """`n` as `n != 0`, in parentheses that keep its meaning whatever stands around it."""
    text = _text(place)
    return place, f"({text} != 0)" if _SIMPLE.match(text) else f"(({text}) != 0)"


def _text(place: Place) -> str:
    return place.block.text[place.range.start : place.range.end]
