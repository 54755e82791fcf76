"""A Python loop over numbers made a loop of the graph."""

from __future__ import annotations

from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import UnrolledLoop


def over_tensor(loop: UnrolledLoop, tensorflow: str | None) -> tuple[tuple[Place, str], ...] | None:
    """`range` as `tf.range`, where every turn leaves all that it sets as it was in dtype and shape."""
    place = loop.iterated
    text = place.block.text[place.range.start : place.range.end]
    if tensorflow is None or loop.over != "range" or not loop.stays_alike or not text.startswith("range("):
        return None
    return ((place, f"{tensorflow}.{text}"),)
