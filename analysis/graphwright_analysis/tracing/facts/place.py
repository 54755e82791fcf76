"""Where something stands: a span in a top-level block."""

from __future__ import annotations

from typing import NamedTuple

from graphwright_analysis.syntax import Block
from graphwright_analysis.text import Range


class Place(NamedTuple):
    """A span in a block; absolute only once the block's own place in the file is known.

    For a place that binds a name, `value` is the span of the expression that it is bound to.
    """

    block: Block
    range: Range
    value: Range | None = None

    def holds(self, other: Place) -> bool:
        """Whether another place stands in this one."""
        return self.block is other.block and self.range.start <= other.range.start < self.range.end
