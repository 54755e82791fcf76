"""Code actions: the fixes of the findings at a place, and all certain fixes of the file at once."""

from __future__ import annotations

from dataclasses import dataclass

from graphwright_analysis.diagnostics import Diagnostic, Edit, certain_edits
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
    everything, _ = certain_edits(diagnostics)
    if everything:
        found.append(Action("Fix everything that is certain", FIX_ALL, everything))
    return tuple(found)
