"""Private names written with one underscore."""

from __future__ import annotations

import re

from graphwright_analysis.findings import Repair
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place

_PRIVATE = re.compile(r"\.\s*(__\w*[^\W_]\w*?)(?<!__)\b(?!__)")


def repairs(place: Place | None) -> tuple[Repair, ...]:
    """Rename every private attribute of the class, unless that name is taken or code outside could see it."""
    if place is None:
        return ()
    text = place.block.text
    if not text.lstrip().startswith(("class ", "@")):
        return ()
    found = [match for match in _PRIVATE.finditer(text) if not match.group(1).endswith("__")]
    names = {match.group(1) for match in found}
    if any(re.search(rf"(?<!_){name[1:]}\b", text) for name in names):
        return ()
    if any(len(re.findall(rf"(?<!\w){name}\b", text)) != sum(m.group(1) == name for m in found) for name in names):
        return ()
    spans = [Range(match.start(1), match.start(1) + 1) for match in found]
    return (Repair("Use a single underscore", tuple((Place(place.block, span), "") for span in spans)),)
