"""A function of a notebook as the agent runs it, and its report as the cells show it.

The agent runs the cells above the function's and that one, as one program; lines of that become lines of cells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from graphwright.agent import wire

from .notebooks import Program


def text_up_to(program: Program, offset: int | None) -> str:
    """The Python of the cells down to the one that holds an offset, or of all."""
    last = len(program.cells) if offset is None else program.cell_at(offset) + 1
    return "".join(f"{code}\n" for code in program.code[:last])


def line_words(program: Program, line: int) -> str:
    """Where a line of the program is, in words."""
    cell, within = _cell_line(program, line)
    return f"line {within + 1} of cell {cell + 1}"


def in_cells(report: wire.AgentReport, program: Program, line: int) -> wire.AgentReport:
    """The report with cells and their lines in the place of the notebook's; `line` is the function's."""
    number = _cell_line(program, line)[0]
    home = program.cells[number].uri
    note = f"Cells 1 to {number + 1} were run, from the top down." if number else "Cell 1 was run."
    traces = [replace(each, line=_within(program, each.line, home)) for each in report.traces]
    error = report.error and replace(
        report.error,
        message=_in_words(report.error.message, program),
        traceback=_in_words(report.error.traceback, program),
        frames=tuple(_frame(each, program) for each in report.error.frames),
    )
    nodes = tuple(_operation(each, program) for each in report.graph.nodes) if report.graph is not None else ()
    graph = report.graph and replace(report.graph, nodes=nodes)
    notes = (note, *report.notes)
    return replace(report, file=home, traces=tuple(traces), error=error, graph=graph, notes=notes)


def cell_texts(program: Program) -> Mapping[str, str]:
    """The texts of cells by what a report calls them."""
    return {cell.uri: cell.text for cell in program.cells}


def _cell_line(program: Program, line: int) -> tuple[int, int]:
    """The cell that holds a line of the program, and the line's number in it."""
    starts = program.first_lines
    cell = max((index for index, start in enumerate(starts) if start <= line), default=0)
    return cell, line - starts[cell]


def _within(program: Program, line: int | None, home: str) -> int | None:
    if line is None:
        return None
    cell, within = _cell_line(program, line)
    return within if program.cells[cell].uri == home else None


def _frame(frame: wire.ReportedFrame, program: Program) -> wire.ReportedFrame:
    if frame.file != program.key:
        return frame
    cell, line = _cell_line(program, frame.line)
    return replace(frame, file=program.cells[cell].uri, line=line)


def _operation(operation: wire.Operation, program: Program) -> wire.Operation:
    if operation.file != program.key or operation.line is None:
        return operation
    cell, line = _cell_line(program, operation.line)
    return replace(operation, file=program.cells[cell].uri, line=line)


def _in_words(text: str, program: Program) -> str:
    """A text with cells where Python names the notebook's file and a line."""
    place = re.escape(program.key)

    def words(found: re.Match[str]) -> str:
        cell, line = _cell_line(program, int(found[1] or found[2]) - 1)
        return f"cell {cell + 1}, line {line + 1}"

    return re.sub(rf'File "{place}", line (\d+)|{place}, line (\d+)', words, text)
