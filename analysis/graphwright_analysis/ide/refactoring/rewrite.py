"""What a rewrite is: offered quickly by what is known already, made and proved when it is wanted.

What rewrites there are isn't known here: the converter has some of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from graphwright_analysis.diagnostics import Edit
from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Trace

KIND = "refactor.rewrite.graphwright"
"""The kind that those of all rewrites begin with."""


@immutable
class RewriteSite:
    """Where in which file; `anywhere` in a function will do, where else its header is meant."""

    project: Project
    path: str
    range: Range
    trace: Trace
    anywhere: bool = False


@immutable
class Offer:
    """What it is called and the edits, or why it isn't possible; `doubt` is to be confirmed first."""

    title: str
    edits: tuple[Edit, ...] = ()
    refused: str | None = None
    doubt: str | None = None


@immutable
class Rewrite:
    """A kind of rewrite: `expected` is the offer as far as it costs nothing, `made` are all, with their edits."""

    name: str
    expected: Callable[[RewriteSite], Offer | None]
    made: Callable[[RewriteSite], tuple[Offer, ...]]
    is_slow: bool = False
    """Whether it takes so long that even who asks for rewrites had better not wait."""

    @property
    def kind(self) -> str:
        return f"{KIND}.{self.name}"
