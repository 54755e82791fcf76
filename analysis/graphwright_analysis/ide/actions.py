"""Code actions: the fixes of the findings at a place, and all certain fixes of the file at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphwright_analysis.diagnostics import Diagnostic, Edit
from graphwright_analysis.project import Project
from graphwright_analysis.text import Range

FIX_ALL = "source.fixAll.graphwright"


@dataclass(frozen=True, slots=True)
class Action:
    """A change that an editor may offer."""

    title: str
    kind: str
    edits: tuple[Edit, ...]
    preferred: bool = False
    diagnostic: Diagnostic | None = None


def code_actions(project: Project, path: str, range: Range) -> tuple[Action, ...]:
    """What can be done about the findings that the range touches."""
    diagnostics = project.check(path)
    found = [
        Action(fix.title, "quickfix", fix.edits, fix.certain, diagnostic)
        for diagnostic in diagnostics
        if diagnostic.range.overlaps(range)
        for fix in diagnostic.fixes
    ]
    everything = certain_edits(diagnostics)
    if everything:
        found.append(Action("Fix everything that is certain", FIX_ALL, everything))
    return tuple(found)


def certain_edits(diagnostics: Sequence[Diagnostic]) -> tuple[Edit, ...]:
    """The edits of all certain fixes that don't get into each other's way."""
    chosen: list[Edit] = []
    for diagnostic in diagnostics:
        fix = next((fix for fix in diagnostic.fixes if fix.certain), None)
        if fix is not None and not any(_collide(edit, other) for edit in fix.edits for other in chosen):
            chosen += fix.edits
    return tuple(chosen)


def _collide(edit: Edit, other: Edit) -> bool:
    return (edit.range.start < other.range.end and other.range.start < edit.range.end) or edit.range == other.range
