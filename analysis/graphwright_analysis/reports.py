"""What runs of files report, each about its own file and others, and how the reports about one file are merged.

The tracing runs files and the rules judge them. This module has plain data, which may also come from a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import field

from .diagnostics import Diagnostic
from .immutability import immutable
from .text import Range


@immutable
class Report:
    """What one run reports about one file."""

    diagnostics: tuple[Diagnostic, ...] = ()
    supposed: tuple[str | None, ...] = ()
    """For each finding, the qualified name of the function without visible calls whose unknown arguments it relies on.
    """
    unless_imported: tuple[Diagnostic, ...] = ()
    """Further findings, which hold only if no other file imports this one."""

    @property
    def possible(self) -> tuple[Diagnostic, ...]:
        """All findings, whether the file is imported or not."""
        return (*self.diagnostics, *self.unless_imported)


@immutable
class CutRun:
    """A function, or a top-level statement, whose analysis stopped because it takes too many steps.

    It isn't a finding: it says where findings may be missing. Lines count from one; `reached` is None if unknown.
    """

    name: str
    range: Range
    line: int
    reached: int | None
    hurried: bool
    """True if the other code of the file had already used up its steps."""

    @property
    def message(self) -> str:
        """Return a sentence without a full stop that says what is incomplete, and why."""
        part = "only in part" if self.reached is None else f"only up to line {self.reached}"
        why = "the rest of the file reached the step limit" if self.hurried else "it takes too many steps"
        return f"`{self.name}` is analyzed {part}: {why}"


@immutable
class RunReports:
    """What the run of one file reports about itself and others (by path), and which of their functions it calls."""

    own: Report = Report()
    others: Mapping[str, Report] = field(default_factory=dict[str, Report])
    called: Mapping[str, Set[str]] = field(default_factory=dict[str, Set[str]])
    cut: tuple[CutRun, ...] = ()


def merged(
    own: Report, others: Iterable[Report], called: Set[str], is_imported: Callable[[], bool]
) -> tuple[Diagnostic, ...]:
    """Merge the reports about a file by its own run and by those of others, which call the functions `called`.

    If two runs report the same place, the more severe report is used. `is_imported` says whether another file imports
    this one; it is only asked if that matters.
    """
    kept = zip(own.diagnostics, own.supposed, strict=True)
    found = _by_place(diagnostic for diagnostic, function in kept if function not in called)
    if own.unless_imported and not is_imported():
        found |= _by_place(own.unless_imported)
    for other in others:
        for place, told in _by_place(other.diagnostics).items():
            known = found.get(place)
            if known is None or min(each.severity for each in told) < min(each.severity for each in known):
                found[place] = told
    return tuple(sorted((each for told in found.values() for each in told), key=order))


def _by_place(diagnostics: Iterable[Diagnostic]) -> dict[tuple[str, Range], list[Diagnostic]]:
    found: dict[tuple[str, Range], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        found.setdefault((diagnostic.rule, diagnostic.range), []).append(diagnostic)
    return found


def order(diagnostic: Diagnostic) -> tuple[object, ...]:
    """The order of findings: by place, and the most severe first."""
    return diagnostic.range, diagnostic.severity, diagnostic.rule, diagnostic.message
