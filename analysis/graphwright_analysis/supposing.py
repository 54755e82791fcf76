"""What the analysis would say of a file after an edit that it hasn't said before.

The edit isn't made: the project is asked about another text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .diagnostics import Diagnostic, Edit, apply_edits
from .project import Project


def broken(project: Project, path: str, edits: Sequence[Edit]) -> bool:
    """Whether the edited text has code that can't be parsed where the text had none."""
    text = project.text(path)
    edited = project.supposing(path, apply_edits(text, tuple(edits)))
    return len(edited.sources.problems(path)) > len(project.sources.problems(path))


def new_findings(project: Project, path: str, edits: Sequence[Edit]) -> tuple[list[Diagnostic], int]:
    """The findings that come with the edits, and of how many lines those edits make the text longer."""
    text = project.text(path)
    edited_text = apply_edits(text, tuple(edits))
    before = project.supposing(path, text).check(path)
    after = project.supposing(path, edited_text).check(path)
    return unknown_before(before, after), edited_text.count("\n") - text.count("\n")


def unknown_before(before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Those of the second findings that say something which none of the first ones says."""
    known, found = Counter(map(_identity, before)), list[Diagnostic]()
    for diagnostic in after:
        identity = _identity(diagnostic)
        if known[identity] > 0:
            known[identity] -= 1
        else:
            found.append(diagnostic)
    return found


def _identity(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.rule, diagnostic.message
