"""What the analysis says: diagnostics, edits and fixes, as plain data.

Nothing here knows how a finding is made or shown.
"""

from __future__ import annotations

import enum

from .immutability import immutable
from .text import Range


class Severity(enum.IntEnum):
    """How much a finding matters; the order is the language server protocol's."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4

    @property
    def label(self) -> str:
        return self.name.lower()

    def lowered(self) -> Severity:
        """One step less."""
        return Severity(min(self + 1, Severity.HINT))


class Confidence(enum.IntEnum):
    """How sure the analysis is of a fact."""

    CERTAIN = 1
    LIKELY = 2
    POSSIBLE = 3

    @property
    def lowered(self) -> Confidence:
        """One step less sure."""
        return Confidence(min(self + 1, Confidence.POSSIBLE))


class Tag(enum.Enum):
    """How an editor may render the range besides the squiggle."""

    UNNECESSARY = "unnecessary"
    DEPRECATED = "deprecated"


@immutable
class Related:
    """Another place that belongs to a finding; `path` is None where it is the finding's own file."""

    range: Range
    message: str
    path: str | None = None
    is_call: bool = False
    """Whether it is one of the calls that lead to the finding, the last of which is the outermost one."""


@immutable
class Edit:
    """Replace the text of a range."""

    range: Range
    text: str


@immutable
class Fix:
    """A change that fixes a finding.

    A certain one can't change what the code computes eagerly; it is the editor's preferred one. An incomplete one has
    a place where the user has to write a value.
    """

    title: str
    edits: tuple[Edit, ...]
    certain: bool = False
    incomplete: bool = False

    def applies(self, unsafe: bool) -> bool:
        """Whether it may be applied without the user seeing it first, certain or, if the user allows it, unsafe."""
        return bool(self.edits) and (self.certain or (unsafe and not self.incomplete))


@immutable
class Diagnostic:
    """One finding in one file."""

    rule: str
    family: str
    severity: Severity
    range: Range
    message: str
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    tags: tuple[Tag, ...] = ()


def apply_edits(text: str, edits: tuple[Edit, ...]) -> str:
    """The text with non-overlapping edits applied."""
    for edit in sorted(edits, key=lambda edit: (edit.range.start, edit.range.end), reverse=True):
        text = text[: edit.range.start] + edit.text + text[edit.range.end :]
    return text
