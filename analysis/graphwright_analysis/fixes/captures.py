"""A global number that traced functions read, turned into a `tf.Variable`."""

from __future__ import annotations

import re

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import CaptureStale
from graphwright_analysis.values.domain import python_kind

_ASSIGNED = r"{name}\s*=\s*([-\w.]+)[ \t]*"


def to_variable(stale: CaptureStale, tensorflow: str | None) -> tuple[tuple[Place, str], ...] | None:
    """Edits for a global that is set in one plain statement before the trace and in one after it."""
    made, rebound, name = stale.created, stale.rebound, stale.target
    if made is None or rebound is None or tensorflow is None or not name.isidentifier():
        return None
    if python_kind(stale.then) is not float or python_kind(stale.now) is not float:
        return None
    first, second = _whole(made, name), _whole(rebound, name)
    if first is None or second is None or made.value is None or rebound.value is None:
        return None
    value = _text(Place(rebound.block, rebound.value))
    return (
        (Place(made.block, made.value), f"{tensorflow}.Variable({_text(Place(made.block, made.value))})"),
        (second, f"{name}.assign({value})"),
    )


def _whole(place: Place, name: str) -> Place | None:
    """The assignment, where it is all that its top-level block holds."""
    found = re.fullmatch(rf"({_ASSIGNED.format(name=re.escape(name))})(?:#[^\n]*)?\s*", place.block.text)
    return None if found is None else Place(place.block, Range(0, len(found.group(1).rstrip())))


def _text(place: Place) -> str:
    return place.block.text[place.range.start : place.range.end]
