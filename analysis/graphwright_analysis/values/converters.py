"""Who makes graph code of a function's Python."""

from __future__ import annotations

from enum import Enum


class Converter(Enum):
    """What converts the control flow of traced code."""

    AUTOGRAPH = "AutoGraph"
    GRAPHWRIGHT = "Graphwright"
    PROMOTING = "Graphwright with promote=True"
    """Values whose dtype or shape differs between branches or turns are cast."""

    @property
    def called(self) -> str:
        return "AutoGraph" if self is Converter.AUTOGRAPH else "Graphwright"

    @property
    def maker(self) -> str:
        """Who builds branches and loops of the graph, and refuses to where they don't fit."""
        return "TensorFlow" if self is Converter.AUTOGRAPH else "Graphwright"
