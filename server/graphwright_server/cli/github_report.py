"""The report for GitHub Actions: workflow commands that become annotations on the changed lines.

Only findings are printed; the summary belongs to the text report. A finding in a notebook annotates the file, because
a line of a cell isn't a line of the file.
"""

from __future__ import annotations

from graphwright_analysis import Diagnostic, Range, Severity

from .findings import CheckedFile, CheckRun

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}


def render(run: CheckRun) -> str:
    """The whole report, one line per finding."""
    return "".join(_command(file, diagnostic) for file in run.files for diagnostic in file.diagnostics)


def _command(file: CheckedFile, diagnostic: Diagnostic) -> str:
    properties = {
        "title": f"Graphwright ({diagnostic.rule})",
        "file": file.shown.replace("\\", "/"),
        **(_place(file, diagnostic.range) if file.cell is None else {}),
    }
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = file.message_at(diagnostic.range.start, diagnostic.message)
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(message)}\n"


def _place(file: CheckedFile, place: Range) -> dict[str, int]:
    line, column = file.lines.line_column(place.start)
    end_line, end_column = file.lines.line_column(place.end)
    lines = {"line": line + 1, "endLine": end_line + 1}
    # GitHub refuses columns on an annotation of several lines.
    return lines | ({"col": column + 1, "endColumn": end_column + 1} if line == end_line else {})


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
