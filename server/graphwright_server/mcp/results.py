"""The results of the tools: plain data for a program, and text for a model to read.

Lines and columns count from 1; paths are relative to the workspace's root. No class has slots: where the schema of a
result is made, what a class has under a field's name is taken for its default.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

import graphwright_analysis as analysis
from graphwright_analysis import immutable

from graphwright_server.wording import plural

from .workspace import ChangedFiles, FileFinding, Workspace

_Item = TypeVar("_Item")
MOST_TEXT = 20_000
"""The most characters of code or text in one result."""


@immutable(slots=False)
class Page:
    """Which part of a long result to return."""

    offset: int
    limit: int

    def of(self, found: Sequence[_Item]) -> tuple[_Item, ...]:
        """The items on the page."""
        return tuple(found[self.offset : self.offset + self.limit])

    def following(self, found: Sequence[object]) -> int | None:
        """The offset of the next page; None on the last one."""
        end = self.offset + self.limit
        return end if end < len(found) else None


@immutable(slots=False)
class Replacement:
    """Lines of a file and what to write instead of them; `old` is what is there now."""

    line: int
    old: str
    new: str


@immutable(slots=False)
class ProposedFix:
    """A fix: `certain` if it needs no decision; otherwise look for `...` to fill in."""

    title: str
    certain: bool
    replace: tuple[Replacement, ...]


@immutable(slots=False)
class RelatedPlace:
    """Another place that a finding is about."""

    path: str
    line: int
    message: str


@immutable(slots=False)
class ReportedFinding:
    """A finding; `new` if the previous check didn't report it."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: str
    rule: str
    message: str
    related: tuple[RelatedPlace, ...] = ()
    fixes: tuple[ProposedFix, ...] = ()
    new: bool = False


@immutable(slots=False)
class UncheckedPlace:
    """A file or part of a file that wasn't checked."""

    path: str
    line: int | None
    message: str


@immutable(slots=False)
class CheckResult:
    """Findings of a check; call again with `offset=next_offset` if there are more."""

    findings: tuple[ReportedFinding, ...]
    total: int
    next_offset: int | None
    files_checked: int
    not_checked: tuple[UncheckedPlace, ...] = ()


@immutable(slots=False)
class ChangesResult:
    """Findings in the files that changed, and the findings that are gone.

    Files that depend on them and take longer are `pending`: call again to check those.
    """

    changed: tuple[str, ...]
    findings: tuple[ReportedFinding, ...]
    total: int
    fixed: tuple[str, ...]
    pending: tuple[str, ...] = ()
    not_checked: tuple[UncheckedPlace, ...] = ()


def finding_of(workspace: Workspace, found: FileFinding, fixes: bool, new: bool = False) -> ReportedFinding:
    """A finding with its place in lines and columns."""
    lines = _lines(workspace, found.path)
    each = found.diagnostic
    line, column = lines.line_column(each.range.start)
    end_line, end_column = lines.line_column(each.range.end)
    return ReportedFinding(
        path=workspace.shown(found.path),
        line=line + 1,
        column=column + 1,
        end_line=end_line + 1,
        end_column=end_column + 1,
        severity=each.severity.label,
        rule=each.rule,
        message=each.message,
        related=tuple(_related(workspace, found)),
        fixes=tuple(_fix(lines.text, fix) for fix in workspace.fixes_of(found)) if fixes and each.fixes else (),
        new=new,
    )


def changes_of(workspace: Workspace, changes: ChangedFiles, fixes: bool, limit: int) -> ChangesResult:
    """The findings after a change, each marked if it is new, and those that are gone."""
    gone, seen = Counter(each.words for each in changes.before), Counter[tuple[str, str, str]]()
    shown: list[ReportedFinding] = []
    for each in changes.after:
        seen[each.words] += 1
        if len(shown) < limit:
            shown.append(finding_of(workspace, each, fixes, new=seen[each.words] > gone[each.words]))
    fixed = (gone - seen).elements()
    return ChangesResult(
        changed=tuple(map(workspace.shown, (*changes.checked, *changes.removed))),
        findings=tuple(shown),
        total=len(changes.after),
        fixed=tuple(f"{workspace.shown(path)}: [{rule}] {message}" for path, rule, message in fixed)[:limit],
        pending=tuple(map(workspace.shown, changes.pending)),
        not_checked=tuple(problems_of(workspace, changes.checked)),
    )


def problems_of(workspace: Workspace, paths: Sequence[str]) -> Iterator[UncheckedPlace]:
    """What of the files couldn't be read or parsed."""
    for path in paths:
        if path in workspace.unreadable:
            yield UncheckedPlace(workspace.shown(path), None, workspace.unreadable[path])
            continue
        for problem in workspace.project.sources.problems(path):
            line = _lines(workspace, path).line_of(problem.range.start) + 1
            yield UncheckedPlace(workspace.shown(path), line, f"can't be parsed: {problem.message}")


def check_text(result: CheckResult) -> str:
    """The result as lines, one finding after the other."""
    parts = [*map(_finding_text, result.findings), *map(_problem_text, result.not_checked)]
    files = plural(result.files_checked, "file")
    if not result.files_checked and result.not_checked:
        return "\n".join(parts)
    if not result.total:
        return "\n".join([*parts, f"No findings in {files}."])
    parts.append(f"{plural(result.total, 'finding')} in {files}.")
    if result.next_offset is not None:
        parts.append(more_text("check", result.total, result.next_offset))
    return "\n".join(parts)


def changes_text(result: ChangesResult) -> str:
    """The result as lines: findings, what is fixed, what was checked."""
    if not result.changed:
        return "No Python file has changed since the last check."
    parts = [*map(_finding_text, result.findings), *map(_problem_text, result.not_checked)]
    parts += [f"fixed: {each}" for each in result.fixed]
    if (more := result.total - len(result.findings)) > 0:
        parts.append(f"… {more} more: call check with these paths.")
    unread = {each.path for each in result.not_checked if each.line is None}
    if read := [path for path in result.changed if path not in unread]:
        found = plural(result.total, "finding") if result.total else "No findings"
        parts.append(f"{found} in {_shortened(read)}.")
    if result.pending:
        files = plural(len(result.pending), "file")
        parts.append(f"{files} importing these aren't re-checked yet: call check_changes again to check them.")
    return "\n".join(parts)


def more_text(tool: str, total: int, next_offset: int) -> str:
    """The last line of a page, which says how to get the next one."""
    return f"… {total - next_offset} more: call {tool} again with offset={next_offset}."


def shortened(text: str) -> str:
    """The text, cut where it is too long for one result."""
    if len(text) <= MOST_TEXT:
        return text
    kept = text[:MOST_TEXT].rpartition("\n")[0]
    return f"{kept}\n… {text.count(chr(10)) - kept.count(chr(10))} more lines"


def _finding_text(each: ReportedFinding) -> str:
    mark = "new " if each.new else ""
    lines = [f"{each.path}:{each.line}:{each.column}: {mark}{each.severity} [{each.rule}] {each.message}"]
    lines += [f"  {other.path}:{other.line}: {other.message}" for other in each.related]
    for fix in each.fixes:
        lines.append(f"  {'fix' if fix.certain else 'possible fix'}: {fix.title}")
        for part in fix.replace:
            lines.append(f"    at line {part.line}:")
            lines += [f"    -{line}" for line in part.old.splitlines()]
            lines += [f"    +{line}" for line in part.new.splitlines()]
    return "\n".join(lines)


def _problem_text(each: UncheckedPlace) -> str:
    if each.line is None:
        return f"{each.path}: not checked: {each.message}"
    return f"{each.path}:{each.line}: {each.message}; the rest of the file was checked"


def _related(workspace: Workspace, found: FileFinding) -> Iterator[RelatedPlace]:
    for each in found.diagnostic.related:
        path = each.path or found.path
        if path.startswith(str(workspace.root)):
            line = _lines(workspace, path).line_of(each.range.start) + 1
            yield RelatedPlace(workspace.shown(path), line, each.message)


def _fix(text: str, fix: analysis.Fix) -> ProposedFix:
    return ProposedFix(fix.title, fix.certain, tuple(_replacements(text, analysis.apply_edits(text, fix.edits))))


def _replacements(before: str, after: str) -> Iterator[Replacement]:
    """Whole lines to replace; where lines are only added, the line next to them is part of it."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if tag == "insert" and i < len(old):
            j, m = j + 1, m + 1
        elif tag == "insert" and i:
            i, k = i - 1, k - 1
        yield Replacement(i + 1, "".join(old[i:j]), "".join(new[k:m]))


def _lines(workspace: Workspace, path: str) -> analysis.LineIndex:
    return workspace.project.module(path).lines


def _shortened(paths: Sequence[str]) -> str:
    return ", ".join(paths[:5]) + (f" and {len(paths) - 5} more files" if len(paths) > 5 else "")
