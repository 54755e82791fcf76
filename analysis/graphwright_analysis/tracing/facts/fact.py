"""What all facts have in common."""

from __future__ import annotations


class Fact:
    """Something that a trace saw; it states what happens, never whether that's good."""

    __slots__ = ()
