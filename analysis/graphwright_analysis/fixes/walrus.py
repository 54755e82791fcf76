"""A walrus at the head of an `if`, written as an assignment in front of it."""

from __future__ import annotations

import re

from graphwright_analysis.findings import Repair
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place

from . import insertion
from .sources import text_of

_BINDING = re.compile(r"(\w+)\s*:=\s*(.+)\Z", re.DOTALL)


def repairs(place: Place | None, statement: Place) -> tuple[Repair, ...]:
    """Lift the walrus, where nothing is evaluated before it and nothing decides whether it is."""
    match = _BINDING.match(text_of(place)) if place is not None else None
    if place is None or match is None or "\n" in match.group(2):
        return ()
    text, start, end = place.block.text, place.range.start, place.range.end
    line = text.rfind("\n", 0, start) + 1
    head = re.fullmatch(r"([ \t]*)(if|return|\w+\s*=)\s*\(", text[line:start])
    if head is None or text[end : end + 1] != ")":
        return ()
    first = line + len(head.group(1))
    edit = insertion.line_before(Place(place.block, Range(first, end)), f"{match.group(1)} = {match.group(2)}")
    if edit is None:
        return ()
    bare = Place(place.block, Range(start - 1, end + 1)), match.group(1)
    return (Repair(f"Assign `{match.group(1)}` first", (edit, bare)),)
