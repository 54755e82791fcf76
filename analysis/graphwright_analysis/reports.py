"""What runs of files tell: each of its own file and of others that it uses, and all of them together of one.

A run is made by the tracing and judged by the rules; here is plain data, which may come from a cache as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from .diagnostics import Diagnostic
from .text import Range


@dataclass(frozen=True, slots=True)
class Report:
    """What one run tells of one file."""

    diagnostics: tuple[Diagnostic, ...] = ()
    supposed: tuple[str | None, ...] = ()
    """For each finding the function, by its qualified name, of whose arguments nothing was known: nobody was seen to
    call it."""


@dataclass(frozen=True, slots=True)
class CutRun:
    """A function, or a statement of the top level, whose run was cut because it takes too many steps.

    It is no finding: it says what findings can't be about. Lines count from one; `reached` is None where unknown.
    """

    name: str
    range: Range
    line: int
    reached: int | None
    hurried: bool
    """Whether the other code of the file had used up its steps before."""

    @property
    def message(self) -> str:
        """What was cut, and why, in a sentence without its full stop."""
        part = "only in part" if self.reached is None else f"only up to line {self.reached}"
        why = "the rest of the file reached the step limit" if self.hurried else "it takes too many steps"
        return f"`{self.name}` is analyzed {part}: {why}"


@dataclass(frozen=True, slots=True)
class Telling:
    """What the run of one file tells of itself and of others, by path, and which functions of those it calls."""

    own: Report = Report()
    others: Mapping[str, Report] = field(default_factory=dict[str, Report])
    called: Mapping[str, Set[str]] = field(default_factory=dict[str, Set[str]])
    cut: tuple[CutRun, ...] = ()


def together(own: Report, others: Iterable[Report], called: Set[str]) -> tuple[Diagnostic, ...]:
    """What is told of a file by its own run and by those of others, which call these functions of it.

    What two runs say of one place is told once, as the graver one says it.
    """
    kept = zip(own.diagnostics, own.supposed, strict=True)
    found = _by_place(diagnostic for diagnostic, function in kept if function not in called)
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
    """Findings are told in the order of the text, the graver ones of a place first."""
    return diagnostic.range, diagnostic.severity, diagnostic.rule, diagnostic.message
