"""What all facts have in common."""

from __future__ import annotations

from dataclasses import field

from graphwright_analysis.immutability import immutable
from graphwright_analysis.values.converters import Converter


@immutable
class Fact:
    """Something that a trace saw; it states what happens, never whether that's good."""

    converter: Converter = field(default=Converter.AUTOGRAPH, kw_only=True)
    """Who converts the code in which it was seen."""
    doubted: bool = field(default=False, kw_only=True)
    """Whether the code may be run in another way than it was followed: it is told of one confidence lower."""
