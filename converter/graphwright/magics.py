"""`%%gw` and `%gw_check` for Jupyter and Colab: findings, dtypes and shapes, and traces below the cell.

It runs a cell only when `%%gw` says so, by IPython itself. What is shown is made in `cell_reports`.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphwright_analysis import (
    CELL_SEAM,
    Diagnostic,
    LineIndex,
    Project,
    Range,
    Settings,
    SettingsError,
    Unreadable,
    cells_in,
    inlay_hints,
    is_notebook,
    python_of_cell,
    read_bytes,
)

from graphwright.cell_reports import CellReport, ShownFinding, ShownFunction, as_html, as_text
from graphwright.explaining import remedies_of, sentence
from graphwright.traces import FunctionTrace
from graphwright.watching import watching

SESSION = ".graphwright-session.ipynb"
"""The name under which the analysis knows the cells that have run; there is no such file."""


class CellFailed(Exception):
    """A cell under `%%gw` raised; its own traceback has been shown."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def load(shell: Any) -> None:
    """Add the magics to a running IPython."""

    def gw(line: str, cell: str) -> None:
        """Run the cell, and show Graphwright's findings in it, its traces, and its dtypes and shapes."""
        run_cell(shell, cell)

    def gw_check(line: str) -> None:
        """Show Graphwright's findings in all cells that have run so far, or in a file: `%gw_check model.py`."""
        check_cells(shell, line.strip())

    shell.register_magic_function(gw, "cell")
    shell.register_magic_function(gw_check, "line")


def run_cell(shell: Any, cell: str) -> None:
    """Run a cell, then show what the analysis finds in it, the dtypes and shapes, and what was traced."""
    cells = cells_run(shell)
    traced: list[tuple[Any, FunctionTrace]] = []
    with watching(lambda account, trace: traced.append((account, trace))):
        result = shell.run_cell(cell)
    findings, hinted = analyzed(cells, len(cells) - 1)
    display(CellReport(tuple(findings), tuple(hinted), tuple(functions_of(traced)), "this cell"))
    error = result.error_before_exec or result.error_in_exec
    if error is not None:
        raise CellFailed(f"{type(error).__name__} in this cell")


def check_cells(shell: Any, file: str) -> None:
    """Show what the analysis finds in all cells that have run, or in a file."""
    if not file:
        findings, _ = analyzed(cells_run(shell)[:-1], None)
        display(CellReport(tuple(findings), (), (), "the cells run so far"))
        return
    project = opened()
    path = os.path.abspath(os.path.expanduser(file))
    try:
        project.text(path)
    except Unreadable as error:
        print(f"{file}: {error.reason}")
        return
    place = places_in(project, path, file)
    broken = [
        ShownFinding(place(each.range.start), "error", "syntax", f"can't be parsed ({each.message})")
        for each in project.module(path).errors
    ]
    shown = [finding_of(each, place(each.range.start)) for each in project.check(path)]
    display(CellReport((*broken, *shown), (), (), file))


def places_in(project: Project, path: str, file: str) -> Callable[[int], str]:
    """Return what is shown of an offset in a file: its line, and in a notebook its cell."""
    if not is_notebook(path):
        index = LineIndex(project.text(path))
        return lambda offset: f"{file}:{index.line_of(offset) + 1}"
    cells = cells_in(path, read_bytes(path))
    starts = [sum(len(cell.source) + len(CELL_SEAM) for cell in cells[:number]) for number in range(len(cells))]

    def place(offset: int) -> str:
        index = max(bisect_right(starts, offset) - 1, 0)
        line = cells[index].source.count("\n", 0, offset - starts[index]) + 1
        return f"{file}:cell {cells[index].number}:{line}"

    return place


def opened() -> Project:
    """The project of the working folder; with the default settings if its own can't be read."""
    try:
        return Project(Path.cwd())
    except SettingsError as error:
        print(f"graphwright: {error}")
        return Project(Path.cwd(), Settings())


def cells_run(shell: Any) -> list[str]:
    """The text of every cell that has run, the one that runs now included; the first is empty, as in `In`."""
    return [str(cell) for cell in shell.history_manager.input_hist_raw]


def analyzed(cells: list[str], only: int | None) -> tuple[list[ShownFinding], list[tuple[str, tuple[str, ...]]]]:
    """The findings in cells, or in one of them with its lines: each with the hints in it."""
    path = os.path.join(os.getcwd(), SESSION)
    project = opened()
    python = [python_of_cell(cell) for cell in cells]
    project.set_cells(path, python)
    starts = [sum(len(cell) + len(CELL_SEAM) for cell in python[:number]) for number in range(len(python))]
    findings: list[ShownFinding] = []
    for each in project.check(path):
        number = max(number for number, start in enumerate(starts) if start <= each.range.start)
        if only in (None, number):
            line = python[number].count("\n", 0, each.range.start - starts[number]) + 1
            findings.append(finding_of(each, f"line {line}" if only is not None else f"In [{number}], line {line}"))
    if only is None:
        return findings, []
    return findings, hinted_lines(project, path, cells[only], starts[only])


def finding_of(diagnostic: Diagnostic, place: str) -> ShownFinding:
    return ShownFinding(place, diagnostic.severity.name.lower(), diagnostic.rule, diagnostic.message)


def hinted_lines(project: Project, path: str, text: str, start: int) -> list[tuple[str, tuple[str, ...]]]:
    """The lines of a cell as written that have hints: pieces of code with a hint after each but the last."""
    hints = inlay_hints(project, path, Range(start, start + len(text)))
    lines: list[tuple[str, tuple[str, ...]]] = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        places = sorted((hint.offset - start - at, spaced(hint.label)) for hint in hints)
        inside = [(column, label) for column, label in places if 0 <= column <= len(line)]
        if inside:
            pieces: list[str] = []
            before = 0
            for column, label in inside:
                pieces += [line[before:column], label]
                before = column
            lines.append((str(number), (*pieces, line[before:])))
        at += len(line) + 1
    return lines


def spaced(label: str) -> str:
    """A hint as it follows code: a type at once, anything else after a blank."""
    return label if label.startswith(":") else f" {label}"


def functions_of(traced: list[tuple[Any, FunctionTrace]]) -> list[ShownFunction]:
    """The functions that were traced, each with the causes of its retraces."""
    by_account: dict[int, list[FunctionTrace]] = {}
    for account, trace in traced:
        by_account.setdefault(id(account), []).append(trace)
    return [shown_function(traces) for traces in by_account.values()]


def shown_function(traces: list[FunctionTrace]) -> ShownFunction:
    again = [trace for trace in traces if trace.cause.kind not in ("first", "instance", "variables")]
    causes = [" ".join(sentence(change, trace) for change in trace.cause.changes) for trace in again]
    remedies = [
        words.replace("@gw.function", f"@{t.decorator}") for t in again for words in remedies_of(t.cause.changes)
    ]
    seconds = sum(trace.seconds for trace in traces)
    return ShownFunction(traces[0].function, len(traces), seconds, tuple(causes), "".join(remedies[:1]))


def display(report: CellReport) -> None:
    from IPython.display import display as show  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    show({"text/html": as_html(report), "text/plain": as_text(report)}, raw=True)
