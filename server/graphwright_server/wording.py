"""How results are worded for people, wherever they are printed."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """A count with its noun, with thousands separated."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
