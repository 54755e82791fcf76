"""The report for scripts: a JSON list with one flat object per finding.

Lines and columns count from one, columns in code points; the end is the column after the last character.
"""

from __future__ import annotations

import json
from typing import Any

from graphwright_analysis import Diagnostic

from .findings import CheckedFile, CheckRun, is_fixable, is_fixable_unsafely


def render(run: CheckRun) -> str:
    """The whole report."""
    entries = [_entry(file, diagnostic) for file in run.files for diagnostic in file.diagnostics]
    return json.dumps(entries, indent=2) + "\n"


def _entry(file: CheckedFile, diagnostic: Diagnostic) -> dict[str, Any]:
    line, column = file.lines.line_column(diagnostic.range.start)
    end_line, end_column = file.lines.line_column(diagnostic.range.end)
    cell = {} if file.cell is None else {"cell": file.cell}
    return {
        "file": file.shown,
        **cell,
        "line": line + 1,
        "column": column + 1,
        "end_line": end_line + 1,
        "end_column": end_column + 1,
        "rule": diagnostic.rule,
        "family": diagnostic.family,
        "severity": diagnostic.severity.label,
        "message": diagnostic.message,
        "fixable": is_fixable(diagnostic),
        "fixable_unsafely": is_fixable_unsafely(diagnostic),
    }
