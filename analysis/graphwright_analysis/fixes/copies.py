"""A copy of an argument at the beginning of a function."""

from __future__ import annotations

import re

from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import ArgumentChanged

from . import insertion


def copy_first(change: ArgumentChanged) -> tuple[tuple[Place, str], ...] | None:
    """An edit that copies the argument in front of a function's first statement.

    Only where it is the argument itself that is changed, under its own name in that function.
    """
    first, name = change.first, change.parameter
    if first is None or not change.direct or first.block is not change.place.block:
        return None
    if change.place.range.start < first.range.start:
        return None
    changed = change.place.block.text[change.place.range.start : change.place.range.end]
    if not re.match(rf"(?:del\s+)?{re.escape(name)}\s*[.\[+]|{re.escape(name)}$", changed):
        return None
    edit = insertion.line_before(first, f"{name} = {change.kind}({name})")
    return None if edit is None else (edit,)
