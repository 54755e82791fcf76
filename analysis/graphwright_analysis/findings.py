"""What a rule says of a fact, in places; it becomes a diagnostic where the file's layout is known."""

from __future__ import annotations

import re

from .diagnostics import Confidence, Severity, Tag
from .immutability import immutable
from .syntax import Module
from .tracing import Place

_IMPORT = re.compile(r"^\s*import\s+tensorflow(?:\.compat\.v2)?(?:\s+as\s+(\w+))?\s*(?:#.*)?$", re.MULTILINE)
_FROM = re.compile(r"^\s*import\s+.*\btensorflow\s+as\s+(\w+)", re.MULTILINE)

_LONG_INTEGER = re.compile(
    r"(?<![\w.])(?:\d[\d_]{9,}(?![\w.])|0x[\da-fA-F_]{8,}|\d(?:\.\d+)?e\+?1\d(?!\d))"
    r"|\b2\s*\*\*\s*(?:3[1-9]|[4-9]\d)|\b10\s*\*\*\s*(?:9|1\d)|<<\s*(?:3[1-9]|[4-9]\d)"
    r"|\bu?int64\.(?:max|min)\b|\bmaxsize\b|\btime_ns\b"
)


@immutable
class View:
    """What a rule may know besides the fact: properties of the file's text, which is searched only if a rule asks."""

    module: Module

    @property
    def tensorflow(self) -> str | None:
        """How the file spells TensorFlow, where it imports the whole module."""
        match = self.module.first(_IMPORT) or self.module.first(_FROM)
        return match and (match.group(1) or "tensorflow")

    @property
    def has_long_integers(self) -> bool:
        """True if it has integers that 32 bits don't hold."""
        return self.module.first(_LONG_INTEGER) is not None


@immutable
class Repair:
    """A fix as the rule states it, in places; it becomes a `Fix` where the file's layout is known."""

    title: str
    edits: tuple[tuple[Place, str], ...]
    certain: bool = False
    incomplete: bool = False


@immutable
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
