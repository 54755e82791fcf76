"""Python collections in control flow that becomes part of the graph."""

from __future__ import annotations

from typing import Literal

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.domain import Value
from graphwright_analysis.values.graph_elements import Mixture

from .constructs import ConstructKind
from .fact import Fact
from .place import Place

LengthMethod = Literal["append", "appendleft", "extend", "insert", "pop", "popleft", "remove", "clear"]
LengthChange = Literal[LengthMethod, "=", "+=", "del"]
"""How a list comes to have another length."""


@immutable
class ListChanged(Fact):
    """A Python list made outside a staged branch, loop or mapped function changes its length inside."""

    place: Place
    how: LengthChange
    symbol: str | None
    created: Place | None
    construct: Place
    construct_kind: ConstructKind
    element: Value
    compiled: bool = False
    """Whether XLA compiles what the list is changed in."""
    mixture: Mixture | None = None
    """What it then holds that a list of the graph can't, of what Graphwright converts."""
    confidence: Confidence = Confidence.CERTAIN
