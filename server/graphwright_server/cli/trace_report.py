"""The report on a trace as text for a terminal: signature, lines with their operations, traces, times, errors."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator

from graphwright.agent import wire

from graphwright_server.graph_lines import by_line, counted, operations_text, size_text, without_constants
from graphwright_server.wording import plural

from .running import COMMAND_ERRORS
from .terminal import TerminalStyle, printable

_WIDTH = 100
_MOST_FILES = 12


def report_text(report: wire.AgentReport, source: str, inferred: str, style: TerminalStyle) -> str:
    """The whole report; `inferred` has the arguments if the user passed none."""
    parts = [
        heading_lines(report, inferred, style),
        failure_lines(report, style),
        _traces(report, style),
        _lines(report, source, style),
        _operations(report, style),
        _times(report, style),
        _result(report, style),
        _notes(report, style),
    ]
    return "\n".join("".join(f"{line}\n" for line in part) for part in map(list, parts) if part)


def heading_lines(report: wire.AgentReport, inferred: str, style: TerminalStyle) -> Iterator[str]:
    """The function, the versions, and the arguments where they are inferred."""
    place = f"{_short(report.file)}::{report.function}"
    known = report.environment
    versions = f"TensorFlow {known.tensorflow}, Python {known.python}" if known.tensorflow else known.executable
    yield f"{style(place, 'bold')}  {style(versions, 'dim')}"
    if inferred:
        yield style(f"with {inferred} (inferred; use --spec to change them)", "dim")


def failure_lines(report: wire.AgentReport, style: TerminalStyle) -> Iterator[str]:
    """The error with the user's lines, innermost first."""
    error = report.error
    if error is None:
        return
    kind = "error" if error.type in COMMAND_ERRORS else error.type
    yield f"{style(kind, 'bold', 'red')}: {printable_lines(error.message)}"
    for frame in reversed(error.frames):
        where = f"{_short(frame.file)}:{frame.line + 1}"
        name = f" in {frame.name}" if frame.name else ""
        yield f"  {style(where, 'cyan')}{name}"
        if frame.text:
            yield f"      {printable(frame.text)}"


def printable_lines(text: str) -> str:
    return "\n".join(printable(line) for line in text.splitlines())


def _traces(report: wire.AgentReport, style: TerminalStyle) -> Iterator[str]:
    if len(report.traces) == 1:
        (trace,) = report.traces
        size = size_text(report.graph) if report.graph is not None else operations_text(trace.operations)
        yield f"{trace.signature}"
        yield style(f"traced in {_seconds(trace.seconds)}: {size}", "dim")
    for number, trace in enumerate(report.traces if len(report.traces) > 1 else (), 1):
        cost = f"{_seconds(trace.seconds)}, {operations_text(trace.operations)}"
        yield f"{number}  {trace.signature}  {style(cost, 'dim')}"
        yield f"   {trace.cause}"
    if len(report.traces) > 1 and report.graph is not None:
        yield style(f"The graph of 1: {size_text(report.graph)}", "dim")


def _lines(report: wire.AgentReport, source: str, style: TerminalStyle) -> Iterator[str]:
    """The source, with the operations that each line added to the graph next to it."""
    lines = by_line(report.graph) if report.graph is not None else {}
    own = [line for (file, _), line in lines.items() if file == report.file]
    texts = source.splitlines()
    shown = {line.line: texts[line.line].rstrip().expandtabs(4) for line in own if line.line < len(texts)}
    indent = min((len(text) - len(text.lstrip()) for text in shown.values()), default=0)
    width = min(max((len(text) - indent for text in shown.values()), default=0), _WIDTH // 2)
    marked = 8 if any(line.control for line in own) else 0
    for line in own:
        text = printable(shown.get(line.line, "")[indent:])
        text = text if len(text) <= width else f"{text[: width - 1]}…"
        mark = f"{line.control:<{marked}}"
        made = counted(without_constants(line.nodes), 6) if line.nodes else ""
        number = style(f"{line.line + 1:>5}", "dim")
        yield f"{number}  {text:<{width}}  {style(mark, 'yellow', 'bold')}{style(made, 'cyan')}".rstrip()
    others = [line for (file, _), line in lines.items() if file != report.file]
    for line in others[:_MOST_FILES]:
        where = style(f"{_short(line.file)}:{line.line + 1}", "dim")
        yield f"       {where}  {style(counted(without_constants(line.nodes), 6), 'cyan')}"
    if len(others) > _MOST_FILES:
        more = plural(len(others) - _MOST_FILES, "more line")
        yield style(f"       and {more} in other files", "dim")


def _operations(report: wire.AgentReport, style: TerminalStyle) -> Iterator[str]:
    if report.graph is None or not report.graph.operations:
        return
    cells = [f"{each.type} {style(str(each.count), 'bold')}" for each in report.graph.operations[:12]]
    rest = len(report.graph.operations) - 12
    more = f" and {plural(rest, 'more type')}" if rest > 0 else ""
    yield f"{', '.join(cells)}{more}"


def _times(report: wire.AgentReport, style: TerminalStyle) -> Iterator[str]:
    times = report.times
    if times is None or not times.eager or not times.graph:
        return
    eager, graph = statistics.median(times.eager), statistics.median(times.graph)
    yield f"first call   {_seconds(times.first):>9}   traced and run"
    yield f"eager        {_seconds(eager):>9}   median of {len(times.eager)} calls"
    yield f"graph        {_seconds(graph):>9}   median of {len(times.graph)} calls"
    if max(eager, graph) <= min(eager, graph) * 1.05:
        yield "The graph is as fast as eager code."
    elif eager > graph:
        cost = times.first - graph
        calls = max(1, round(cost / (eager - graph)))
        worth = f"; tracing pays off after {calls:,} call{'s' * (calls > 1)}" if cost > 0 else ""
        yield style(f"The graph is {eager / max(graph, 1e-9):,.1f} times as fast{worth}.", "green")
    else:
        yield style(f"The graph is {graph / max(eager, 1e-9):,.1f} times slower than eager code.", "yellow")


def _result(report: wire.AgentReport, style: TerminalStyle) -> Iterator[str]:
    if report.result is not None:
        yield f"{style('result', 'bold')}  {report.result.spec}"
        if report.action == wire.RUN:
            yield printable_lines(report.result.text)


def _notes(report: wire.AgentReport, style: TerminalStyle) -> Iterator[str]:
    for note in report.notes:
        yield style(note, "dim")


def _short(file: str) -> str:
    try:
        relative = os.path.relpath(file)
    except ValueError:
        return file
    return file if relative.startswith("..") else relative


def _seconds(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1000:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} µs"
