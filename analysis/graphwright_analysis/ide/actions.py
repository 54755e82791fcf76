"""Code actions: fixes of the findings at a place, ways to allow them, all certain fixes at once, and rewrites.

How a rewrite is made and proved is in `refactoring`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphwright_analysis.diagnostics import Diagnostic, Edit, certain_edits
from graphwright_analysis.project import Project
from graphwright_analysis.text import Range

from . import refactoring, suppressing

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
    disabled: str | None = None
    """Why it can't be done, in words; it has no edits then."""
    doubt: str | None = None
    """What is to be confirmed before the edits are made."""


def code_actions(project: Project, path: str, range: Range, kinds: Sequence[str] | None = None) -> tuple[Action, ...]:
    """What can be done at a range, of the kinds that are asked for, each of which stands for its sub-kinds too."""
    found: list[Action] = []
    if wants(kinds, "quickfix") or wants(kinds, FIX_ALL):
        found += [action for action in _about_findings(project, path, range) if wants(kinds, action.kind)]
    if wants(kinds, refactoring.KIND):
        found += [action for action in _rewrites(project, path, range, kinds) if wants(kinds, action.kind)]
    return tuple(found)


def wants(kinds: Sequence[str] | None, kind: str) -> bool:
    """Whether a kind, or a sub-kind of it, is asked for."""
    if kinds is None:
        return True
    return any(asked == "" or f"{kind}.".startswith(f"{asked}.") or asked.startswith(f"{kind}.") for asked in kinds)


def _rewrites(project: Project, path: str, range: Range, kinds: Sequence[str] | None) -> Iterator[Action]:
    """Rewrites of the function whose header is touched; asked for by their own kind, of the function around, too."""
    by_name = any(kind.startswith(refactoring.KIND) for kind in kinds or ())
    for offer in refactoring.offers(project, path, range, by_name):
        yield Action(offer.title, offer.kind, offer.edits, disabled=offer.refused, doubt=offer.doubt)


def _about_findings(project: Project, path: str, range: Range) -> list[Action]:
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
    return found


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
