"""Taking away what switches AutoGraph off."""

from __future__ import annotations

import re

from graphwright_analysis.findings import Repair
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import Unconverted
from graphwright_analysis.tracing.facts.python_use import Cause

from .sources import text_of


def repairs(why: Unconverted, tensorflow: str | None) -> tuple[Repair, ...]:
    """Drop `autograph=False`, or the decorator `do_not_convert`."""
    place = why.place
    if place is None:
        return ()
    if why.cause == Cause.AUTOGRAPH_OFF:
        text = text_of(place)
        switched, count = re.subn(r",\s*autograph\s*=\s*False|autograph\s*=\s*False\s*,?\s*", "", text)
        if count != 1:
            return ()
        return (Repair("Remove `autograph=False`", ((place, re.sub(r"\(\s*\)$", "", switched)),)),)
    if why.cause != Cause.DO_NOT_CONVERT:
        return ()
    block, start = place.block.text, place.range.start
    begin = block.rfind("\n", 0, start) + 1
    end = block.find("\n", place.range.end)
    if end < 0 or block[begin:start].strip() != "@" or block[place.range.end : end].strip():
        return ()
    return (Repair("Remove `do_not_convert`", ((Place(place.block, Range(begin, end + 1)), ""),)),)
