"""Where to edit an operand of an operation, so that it gets another dtype."""

from __future__ import annotations

from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import Operand
from graphwright_analysis.values.domain import python_kind

_AUGMENTED = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=")


def editable(operand: Operand) -> Place | None:
    """Where to edit: the number that a name was bound to, else the operand itself, unless it is assigned to."""
    bound, place = operand.bound, operand.place
    if bound is not None and bound.value is not None:
        source = bound.block.text[bound.value.start : bound.value.end]
        if source.lstrip("-").replace("_", "").isdigit():
            return bound
    behind = place.block.text[place.range.end :].lstrip()
    augmented = any(behind.startswith(sign) for sign in _AUGMENTED)
    return None if augmented or python_kind(operand.value) is not None else place
