"""Code actions: the fixes of the findings at a place, ways to allow them, and all certain fixes of the file at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphwright_analysis.diagnostics import Diagnostic, Edit, certain_edits
from graphwright_analysis.project import Project
from graphwright_analysis.text import Range

from . import suppressing

FIX_ALL = "source.fixAll.graphwright"


@dataclass(frozen=True, slots=True)
class Action:
    """A change that an editor may offer; `path` is the file that it changes, None for the one that was asked about."""

    title: str
    kind: str
    edits: tuple[Edit, ...]
    preferred: bool = False
    diagnostic: Diagnostic | None = None
    path: str | None = None


def code_actions(project: Project, path: str, range: Range) -> tuple[Action, ...]:
    """What can be done about the findings that the range touches."""
    diagnostics = project.check(path)
    found = [
        Action(fix.title, "quickfix", fix.edits, fix.certain, diagnostic)
        for diagnostic in diagnostics
        if diagnostic.range.overlaps(range)
        for fix in diagnostic.fixes
    ]
    for diagnostic in diagnostics:
        if diagnostic.range.overlaps(range):
            found += _allowing(project, path, diagnostic)
    everything, _ = certain_edits(diagnostics)
    if everything:
        found.append(Action("Fix everything that is certain", FIX_ALL, everything))
    return tuple(found)


def _allowing(project: Project, path: str, diagnostic: Diagnostic) -> Iterator[Action]:
    """Ways to have the finding not told, from the smallest to the largest."""
    module, rule = project.module(path), diagnostic.rule
    here = suppressing.on_line(module, diagnostic)
    if here is not None:
        yield Action(f"Allow {rule} on this line", "quickfix", (here,), diagnostic=diagnostic)
    in_file = (suppressing.in_file(module, diagnostic),)
    yield Action(f"Allow {rule} in this file", "quickfix", in_file, diagnostic=diagnostic)
    settings = project.settings_file()
    if settings is not None:
        edit = suppressing.in_project(project.text(settings), rule)
        yield Action(f"Ignore {rule} in this project", "quickfix", (edit,), diagnostic=diagnostic, path=settings)
