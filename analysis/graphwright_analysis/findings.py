"""What a rule says of a fact, in places; it becomes a diagnostic where the file's layout is known."""

from __future__ import annotations

from dataclasses import dataclass

from .diagnostics import Confidence, Severity, Tag
from .tracing import Place


@dataclass(frozen=True, slots=True)
class View:
    """What a rule may know besides the fact: how the file spells TensorFlow, and whether it has integers that 32 bits
    don't hold."""

    tensorflow: str | None = "tf"
    has_long_integers: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix as the rule states it, in places; it becomes a `Fix` where the file's layout is known."""

    title: str
    edits: tuple[tuple[Place, str], ...]
    certain: bool = False
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule says of a fact."""

    place: Place
    message: str
    related: tuple[tuple[Place, str], ...] = ()
    repairs: tuple[Repair, ...] = ()
    confidence: Confidence = Confidence.CERTAIN
    tags: tuple[Tag, ...] = ()
    severity: Severity | None = None
    """The severity where it isn't the rule's."""
