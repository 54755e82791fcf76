"""Code actions: fixes of the findings at a place, comments that allow them, all safe fixes at once, and rewrites.

`refactoring` creates and proves rewrites.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphwright_analysis.diagnostics import Diagnostic, Edit
from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.proving import applicable_edits, holding_fixes
from graphwright_analysis.text import Range

from . import suppressing
from .refactoring import KIND, REWRITES, Rewrite, RewriteSite

FIX_ALL = "source.fixAll.graphwright"


class Proof(enum.Enum):
    """When to prove that a rewrite preserves the results; until then it is offered by what is already known."""

    NOW = enum.auto()
    UNLESS_SLOW = enum.auto()
    LATER = enum.auto()


@immutable
class Action:
    """A change that an editor may offer; `path` is the file that it changes, None for the requested one."""

    title: str
    kind: str
    edits: tuple[Edit, ...]
    preferred: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    path: str | None = None
    disabled: str | None = None
    """Why it isn't possible; it has no edits then."""
    doubt: str | None = None
    """What the user must confirm before the edits are applied."""
    later: bool = False
    """True if the edits are computed later, which may turn out to be impossible."""


def code_actions(
    project: Project,
    path: str,
    range: Range,
    kinds: Sequence[str] | None = None,
    further: Sequence[Rewrite] = (),
    proof: Proof = Proof.NOW,
) -> tuple[Action, ...]:
    """The actions at a range, of the requested kinds, each of which includes its sub-kinds.

    `further` are rewrites from other modules.
    """
    found: list[Action] = []
    if wants(kinds, "quickfix") or wants(kinds, FIX_ALL):
        found += [action for action in _about_findings(project, path, range) if wants(kinds, action.kind)]
    text = project.text(path)
    if wants(kinds, KIND) and ("tensorflow" in text or "keras" in text):
        anywhere = any(kind.startswith(KIND) for kind in kinds or ())
        asked = RewriteSite(project, path, range, project.trace_with_callers(path), anywhere)
        for rewrite in (*REWRITES, *further):
            if wants(kinds, rewrite.kind):
                found += _rewritten(asked, rewrite, proof)
    return tuple(found)


def wants(kinds: Sequence[str] | None, kind: str) -> bool:
    """True if a kind, or a sub-kind of it, is requested."""
    if kinds is None:
        return True
    return any(asked == "" or f"{kind}.".startswith(f"{asked}.") or asked.startswith(f"{kind}.") for asked in kinds)


def _rewritten(asked: RewriteSite, rewrite: Rewrite, proof: Proof) -> Iterator[Action]:
    if proof is Proof.NOW or (proof is Proof.UNLESS_SLOW and not rewrite.is_slow):
        for offer in rewrite.made(asked):
            yield Action(offer.title, rewrite.kind, offer.edits, disabled=offer.refused, doubt=offer.doubt)
        return
    offer = rewrite.expected(asked)
    if offer is not None:
        later = offer.refused is None
        yield Action(offer.title, rewrite.kind, (), disabled=offer.refused, doubt=offer.doubt, later=later)


def _about_findings(project: Project, path: str, range: Range) -> list[Action]:
    """Fixes of the findings that the range touches, and comments that allow them; equal edits are one action."""
    touched = [diagnostic for diagnostic in project.check(path) if diagnostic.range.overlaps(range)]
    each = [
        Action(fix.title, "quickfix", fix.edits, fix.certain, (diagnostic,))
        for diagnostic in touched
        for fix in holding_fixes(project, path, diagnostic)
    ]
    for diagnostic in touched:
        each += _allowing(project, path, diagnostic)
    together: dict[tuple[str, tuple[Edit, ...]], Action] = {}
    for action in each:
        same = together.get((action.title, action.edits))
        if same is not None:
            diagnostics_of_both = (*same.diagnostics, *action.diagnostics)
            action = replace(action, preferred=same.preferred or action.preferred, diagnostics=diagnostics_of_both)
        together[action.title, action.edits] = action
    found = [*together.values()]
    everything, _ = applicable_edits(project, path, project.check(path))
    if everything:
        found.append(Action("Apply all certain fixes", FIX_ALL, everything))
    return found


def _allowing(project: Project, path: str, diagnostic: Diagnostic) -> Iterator[Action]:
    """Ways not to report a finding, from the narrowest to the widest."""
    module, rule = project.module(path), diagnostic.rule
    here = suppressing.on_line(module, diagnostic)
    if here is not None:
        yield Action(f"Allow {rule} on this line", "quickfix", (here,), diagnostics=(diagnostic,))
    in_file = (suppressing.in_file(module, diagnostic),)
    yield Action(f"Allow {rule} in this file", "quickfix", in_file, diagnostics=(diagnostic,))
    settings = project.sources.settings_file()
    if settings is not None:
        edit = suppressing.in_project(project.text(settings), rule)
        yield Action(f"Ignore {rule} in this project", "quickfix", (edit,), diagnostics=(diagnostic,), path=settings)
