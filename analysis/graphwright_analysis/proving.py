"""Which fixes are offered: those after which the analysis of the fixed text reports the finding no longer, and nothing
new.

A fix that brings another finding to light is completed by a fix of that one, and both are offered as one. So are the
fixes of what is wrong on one line, or with one loop or `if`. How edits are made of findings isn't known here.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from .diagnostics import Diagnostic, Edit, Fix, Severity, apply_edits
from .immutability import immutable
from .project import Project
from .supposing import new_findings, unknown_before
from .text import Range
from .tracing import Trace

MOST_STEPS = 4
"""How many fixes are made one, at most."""


def proved(
    project: Project, path: str, diagnostics: Iterable[Diagnostic], runner: str | None = None
) -> tuple[Diagnostic, ...]:
    """The findings in a file with those of their fixes that hold; `runner` is the file whose run reports them."""
    return tuple(
        replace(each, fixes=holding_fixes(project, path, each, runner)) if each.fixes else each for each in diagnostics
    )


def holding_fixes(project: Project, path: str, diagnostic: Diagnostic, runner: str | None = None) -> tuple[Fix, ...]:
    """The fixes of a finding that leave nothing new to report, each completed by those of what it brings to light.

    An editor asks for them wherever the cursor goes: they are found once for each text, trace and traces of callers.
    """
    runner = runner or _reporting_caller(project, path, diagnostic) or path
    known: dict[object, _HoldingFixes] = project.traced.trace_to_judge(runner).memo.setdefault("holding fixes", {})
    key, callers = (path, project.text(path), diagnostic), (*project.traces_of_callers(path).values(),)
    last = known.get(key)
    if last is None or last.callers != callers:
        last = known[key] = _HoldingFixes(tuple(_found(project, path, diagnostic, runner)), callers)
    return last.fixes


class _HoldingFixes(NamedTuple):
    """The fixes of a finding that hold, and the traces of the callers that they were found with."""

    fixes: tuple[Fix, ...]
    callers: tuple[Trace, ...]


def applicable_edits(
    project: Project, path: str, diagnostics: Iterable[Diagnostic], unsafe: bool = False
) -> tuple[tuple[Edit, ...], int]:
    """Return the edits of fixes of these findings that hold and go together, and the number of fixes.

    They are certain fixes, and unsafe ones if the user allows those.
    """
    chosen: list[tuple[Edit, ...]] = []
    for diagnostic in diagnostics:
        if not any(fix.applies(unsafe) for fix in diagnostic.fixes):
            continue
        fixes = [fix for fix in holding_fixes(project, path, diagnostic) if fix.applies(unsafe)]
        best = next((fix for fix in fixes if fix.certain), next(iter(fixes), None))
        before = [*itertools.chain(*chosen)]
        new = () if best is None else tuple(edit for edit in best.edits if edit not in before)
        if best is not None and not any(_collide(edit, other) for edit in new for other in before):
            chosen.append(new)
    # Each fix was proved alone; if they don't hold together, the next round finds what the others are now.
    if len(chosen) > 1 and unsafe and _severe(new_findings(project, path, [*itertools.chain(*chosen)])[0]):
        chosen = chosen[:1]
    return tuple(itertools.chain(*chosen)), len(chosen)


def _severe(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(each.severity <= Severity.WARNING for each in diagnostics)


def _found(project: Project, path: str, diagnostic: Diagnostic, runner: str) -> Iterator[Fix]:
    text = project.text(path)
    supposed = project.supposing(path, text, runner)
    site = _FindingSite(project, path, runner, len(supposed.sources.problems(path)))
    others = tuple(each for each in _reported(site, supposed) if not _is_same(each, diagnostic))
    known = tuple((each, each.range.start) for each in others)
    about = tuple((each.message, each.range.start) for each in diagnostic.related if each.path is None)
    state = _Repaired(text, diagnostic, known, about, diagnostic.range.start, ())
    found = (_completed(site, _after(state, fix)) for fix in diagnostic.fixes)
    made = [state for state in found if state is not None]
    unlike = {state.text: state for state in reversed(made)}
    yield from (_as_one(text, state) for state in reversed(unlike.values()))


@immutable
class _FindingSite:
    """The file that a finding is in, the one whose run reports it, and how much of it can't be parsed."""

    project: Project
    path: str
    runner: str
    problems: int


@immutable
class _Repaired:
    """A text after some fixes; `known` are the other findings that there were before, with where they'd be now."""

    text: str
    finding: Diagnostic
    known: tuple[tuple[Diagnostic, int], ...]
    about: tuple[tuple[str, int], ...]
    """The places that the finding points to, with what it says of them."""
    at: int
    steps: tuple[Fix, ...]

    @property
    def certain(self) -> bool:
        return all(step.certain for step in self.steps)


def _after(state: _Repaired, fix: Fix) -> _Repaired:
    known = tuple((each, _moved(at, fix.edits)) for each, at in state.known)
    about = tuple((words, _moved(at, fix.edits)) for words, at in state.about)
    text, at = apply_edits(state.text, fix.edits), _moved(state.at, fix.edits)
    return replace(state, text=text, known=known, about=about, at=at, steps=(*state.steps, fix))


def _completed(site: _FindingSite, state: _Repaired) -> _Repaired | None:
    """The state after whatever fixes it needs besides, or None where it doesn't hold."""
    supposed = site.project.supposing(site.path, state.text, site.runner)
    if len(supposed.sources.problems(site.path)) > site.problems:
        return None
    found = _reported(site, supposed)
    new = list(_new(state, found))
    if any(_says_the_same(each, state.finding) for each in new):
        return None
    beside = [each for each in found if each.fixes and each.severity <= Severity.WARNING and _is_beside(state, each)]
    for fix in _next(state, new[:1] or beside):
        # What `--fix` may do isn't given up for what is only beside it.
        whole = _completed(site, _after(state, fix)) if new or fix.certain or not state.certain else None
        if whole is not None:
            return whole
    return None if new else state


def _is_beside(state: _Repaired, other: Diagnostic) -> bool:
    """Whether a finding is on the line of the one that is fixed, or the same error about the same loop or `if`."""
    if state.text.count("\n", 0, other.range.start) == state.text.count("\n", 0, state.at):
        return True
    about = {(each.message, each.range.start) for each in other.related if each.path is None}
    same = other.rule == state.finding.rule and other.severity is Severity.ERROR
    return same and not about.isdisjoint(state.about)


def _next(state: _Repaired, findings: Iterable[Diagnostic]) -> Iterator[Fix]:
    """The fixes that go on from here, those first whose titles are most like that of the last one."""
    if len(state.steps) == MOST_STEPS:
        return
    last = state.steps[-1]
    for finding in findings:
        alike = sorted(finding.fixes, key=lambda fix: _likeness(fix.title, last.title), reverse=True)
        yield from alike[:2]


def _likeness(title: str, other: str) -> float:
    return difflib.SequenceMatcher(None, title, other).ratio()


def _new(state: _Repaired, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What there is to report that there wasn't before: errors and warnings, and anything at the finding's own place.

    A finding of the same rule at the same place counts as known, in whatever words.
    """
    places = {(each.rule, at) for each, at in state.known}
    for each in unknown_before((known for known, _ in state.known), found):
        weighs = each.severity <= Severity.WARNING or each.range.start == state.at
        if weighs and (each.rule, each.range.start) not in places:
            yield each


def _reported(site: _FindingSite, supposed: Project) -> tuple[Diagnostic, ...]:
    own = supposed.check(site.path)
    if site.runner == site.path:
        return own
    reported = supposed.traced.report_by(
        site.runner, site.path, supposed.traced.trace_to_judge(site.runner)
    ).diagnostics
    return (*own, *(each for each in reported if each not in own))


def _reporting_caller(project: Project, path: str, diagnostic: Diagnostic) -> str | None:
    """The file whose run reports a finding of another file; None where that one reports it itself."""
    for caller, trace in project.traces_of_callers(path).items():
        reported = project.traced.report_by(caller, path, trace).diagnostics
        if any(_is_same(each, diagnostic) for each in reported):
            return caller
    return None


def _is_same(one: Diagnostic, other: Diagnostic) -> bool:
    return one.range == other.range and _says_the_same(one, other)


def _says_the_same(one: Diagnostic, other: Diagnostic) -> bool:
    return (one.rule, one.message) == (other.rule, other.message)


def _moved(offset: int, edits: Iterable[Edit]) -> int:
    """Where an offset of the text is after the edits; what is replaced is where its replacement begins."""
    shift = 0
    for edit in edits:
        if edit.range.end <= offset:
            shift += len(edit.text) - (edit.range.end - edit.range.start)
        elif edit.range.start < offset:
            shift += edit.range.start - offset
    return offset + shift


def _as_one(text: str, state: _Repaired) -> Fix:
    if len(state.steps) == 1:
        return state.steps[0]
    first, *rest = dict.fromkeys(step.title for step in state.steps)
    title = ", and ".join((first, *(f"{title[0].lower()}{title[1:]}" for title in rest)))
    incomplete = any(step.incomplete for step in state.steps)
    return Fix(title, tuple(_edits_between(text, state.text)), state.certain, incomplete)


def _edits_between(before: str, after: str) -> Iterator[Edit]:
    """The lines that differ."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    first = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    start = sum(map(len, old[:first]))
    starts = [start]
    for line in old[first:]:
        starts.append(starts[-1] + len(line))
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old[first:], new[first:], autojunk=False).get_opcodes():
        if tag != "equal":
            yield Edit(Range(starts[i], starts[j]), "".join(new[first + k : first + m]))


def _collide(edit: Edit, other: Edit) -> bool:
    if edit.range.start == other.range.start:
        return True
    return edit.range.start < other.range.end and other.range.start < edit.range.end
