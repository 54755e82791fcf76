"""What the analysis would say of a file after an edit that it hasn't said before.

The edit isn't made: the project is asked about another text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from graphwright_analysis.diagnostics import Diagnostic, Edit, apply_edits
from graphwright_analysis.project import Project


def broken(project: Project, path: str, edits: Sequence[Edit]) -> bool:
    """Whether the edited text has code that can't be parsed where the text had none."""
    text = project.text(path)
    edited = project.supposing(path, apply_edits(text, tuple(edits)))
    return len(edited.problems(path)) > len(project.problems(path))


def new_findings(project: Project, path: str, edits: Sequence[Edit]) -> tuple[list[Diagnostic], int]:
    """The findings that come with the edits, and of how many lines those edits make the text longer."""
    text = project.text(path)
    edited_text = apply_edits(text, tuple(edits))
    before = Counter(map(_identity, project.supposing(path, text).check(path)))
    found: list[Diagnostic] = []
    for diagnostic in project.supposing(path, edited_text).check(path):
        identity = _identity(diagnostic)
        if before[identity] > 0:
            before[identity] -= 1
        else:
            found.append(diagnostic)
    return found, edited_text.count("\n") - text.count("\n")


def _identity(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.rule, diagnostic.message
