"""What a run of `graphwright check` collects, as plain data that every report format reads.

Nothing here prints or checks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from graphwright_analysis import Diagnostic, LineIndex, Severity, immutable


@immutable(slots=False)
class CheckedFile:
    """A file that was checked, with its text and its findings."""

    path: str
    shown: str
    text: str
    diagnostics: tuple[Diagnostic, ...]
    fixed: int = 0
    cell: int | None = None
    """The number of the notebook's cell that it is."""

    @property
    def where(self) -> str:
        """What people are told of it, in front of a line."""
        return self.shown if self.cell is None else f"{self.shown}:cell {self.cell}"

    def message_at(self, offset: int, message: str) -> str:
        """A message for formats whose lines are those of the file: it names a place in a cell, which has none there."""
        return message if self.cell is None else in_cell(self.cell, self.lines.line_of(offset) + 1, message)

    @cached_property
    def lines(self) -> LineIndex:
        return LineIndex(self.text)


def in_cell(cell: int, line: int, message: str) -> str:
    """A message with the place in a notebook that it is about."""
    return f"cell {cell}, line {line}: {message}"


@immutable
class Failure:
    """A path that could not be checked, and why."""

    shown: str
    reason: str
    missing: bool = False
    crashed: bool = False
    folder: bool = False

    def __str__(self) -> str:
        return f"{self.shown}: {self.reason}"


@immutable
class Unfollowed:
    """What the analysis followed only in part, with the file that it is in; no finding."""

    shown: str
    cell: int | None
    line: int
    name: str
    message: str

    @property
    def where(self) -> str:
        return f"{self.shown}:{self.line}" if self.cell is None else f"{self.shown}:cell {self.cell}:{self.line}"


@dataclass
class CheckRun:
    """Everything that one run found."""

    files: list[CheckedFile] = field(default_factory=list[CheckedFile])
    failures: list[Failure] = field(default_factory=list[Failure])
    unparsed: set[str] = field(default_factory=set[str])
    """The files that couldn't be fully parsed."""
    unfollowed: list[Unfollowed] = field(default_factory=list[Unfollowed])

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return [diagnostic for file in self.files for diagnostic in file.diagnostics]

    @property
    def unread(self) -> list[Failure]:
        """The files and folders found in a folder that couldn't be read."""
        return [failure for failure in self.failures if not failure.missing and not failure.crashed]

    @property
    def fixed(self) -> int:
        return sum(file.fixed for file in self.files)

    def fails(self, least: Severity) -> bool:
        """Whether a finding has at least this severity, or a file couldn't be fully parsed."""
        return bool(self.unparsed) or any(diagnostic.severity <= least for diagnostic in self.diagnostics)

    @property
    def could_not_run(self) -> bool:
        """Whether the run failed: a path isn't there, a file crashed us, one that was named or all can't be read."""
        serious = any(failure.missing or failure.crashed for failure in self.failures)
        return serious or (bool(self.failures) and not self.files)


def is_fixable(diagnostic: Diagnostic) -> bool:
    """Whether `--fix` fixes it."""
    return any(fix.applies(unsafe=False) for fix in diagnostic.fixes)


def is_fixable_unsafely(diagnostic: Diagnostic) -> bool:
    """Whether `--fix` fixes it only together with `--unsafe-fixes`."""
    return not is_fixable(diagnostic) and any(fix.applies(unsafe=True) for fix in diagnostic.fixes)
