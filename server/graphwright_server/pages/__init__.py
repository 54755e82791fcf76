"""A report as one self-contained HTML page: of a function that was traced on demand, or of a recorded run.

Text comes in and text goes out; nothing is run, and the page holds no script.
"""

from __future__ import annotations

import ast
import os
import statistics
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from graphwright.agent import wire

from graphwright_server.graph_lines import by_line, counted, size_text, without_constants

from .parts import ShownTrace, bars, document, figures, scrollable, seconds, source_table, trace_list

_MOST_TYPES = 14


def page_of_report(report: wire.AgentReport, source: str) -> str:
    """The page of a function that the agent has traced."""
    known = report.environment
    versions = f"TensorFlow {known.tensorflow}, Python {known.python}" if known.tensorflow else ""
    return document(f"{report.function} · traces", f"{short(report.file)}  {versions}", _report_parts(report, source))


def _report_parts(report: wire.AgentReport, source: str) -> Iterator[str]:
    if report.error is not None:
        yield _error(report.error)
    if report.traces:
        yield f"<section><h2>Traces</h2>{_report_figures(report)}<h3>What triggered each trace</h3>"
        yield f"{trace_list([_reported(trace) for trace in report.traces])}</section>"
    if report.times is not None and report.times.eager and report.times.graph:
        yield f"<section><h2>Times</h2>{_times(report.times)}</section>"
    if report.graph is not None:
        yield f"<section><h2>Source</h2>{_report_source(report, source)}</section>"
    if report.svg:
        yield f"<section><h2>Graph</h2>{scrollable('Graph', report.svg, 'graph-picture')}</section>"
    if report.graph is not None and report.graph.operations:
        kinds = [(each.type, float(each.count), f"{each.count:,}") for each in report.graph.operations]
        rest = f'<p class="quiet">and {len(kinds) - _MOST_TYPES} more types</p>' if len(kinds) > _MOST_TYPES else ""
        yield f"<section><h2>Operations</h2>{bars(kinds[:_MOST_TYPES])}{rest}</section>"
    if report.result is not None:
        yield f"<section><h2>Result</h2><p><code>{escape(report.result.spec)}</code></p></section>"
    for note in report.notes:
        yield f'<p class="quiet">{escape(note)}</p>'


def _reported(trace: wire.ReportedTrace) -> ShownTrace:
    return ShownTrace(trace.signature, trace.cause, seconds=trace.seconds, operations=trace.operations)


def _report_figures(report: wire.AgentReport) -> str:
    values = [("traces", str(len(report.traces)), len(report.traces) > 1)]
    values.append(("tracing", seconds(sum(trace.seconds for trace in report.traces)), False))
    if report.graph is not None:
        values.append(("graph of trace 1" if len(report.traces) > 1 else "graph", size_text(report.graph), False))
    return figures(values)


def _error(error: wire.ReportedFailure) -> str:
    frames = "".join(
        f'<p class="place">{escape(short(frame.file))}:{frame.line + 1}  {escape(frame.text)}</p>'
        for frame in reversed(error.frames)
    )
    return f'<section class="error"><h2>{escape(error.type)}</h2><pre>{escape(error.message)}</pre>{frames}</section>'


def _times(times: wire.Times) -> str:
    eager, graph = statistics.median(times.eager), statistics.median(times.graph)
    rows = [("first call", times.first), ("eager", eager), ("graph", graph)]
    return bars([(name, value, seconds(value)) for name, value in rows])


def _report_source(report: wire.AgentReport, source: str) -> str:
    assert report.graph is not None
    lines = [line for (file, _), line in by_line(report.graph).items() if file == report.file]
    notes: dict[int, tuple[str, str]] = {}
    for line in lines:
        made = counted(without_constants(line.nodes), 4) if line.nodes else ""
        notes[line.line] = "graph", "  ".join(filter(None, [line.control, made]))
    start = next((trace.line for trace in report.traces if trace.line is not None), min(notes, default=0))
    return source_table(source, *span_of(source, start), notes)


def page_of_run(run: Mapping[str, Any], sources: Mapping[str, str]) -> str:
    """The page of a run that GRAPHWRIGHT_TRACES recorded; `sources` are its files as they are now."""
    functions = sorted(run["functions"], key=lambda each: (-each["traced"], each["file"], each["line"]))
    subtitle = f"{run.get('started', '').replace('T', ' ')}  TensorFlow {run['tensorflow']}, Python {run['python']}"
    title = f"{os.path.basename(run.get('program', '')) or 'A run'} · traces"
    return document(title, subtitle, [_overview(functions), *(_section(each, sources) for each in functions)])


def _overview(functions: list[Mapping[str, Any]]) -> str:
    rows = "".join(
        f'<tr><td><a class="mono" href="#{escape(anchor(each))}">{escape(each["name"])}</a></td>'
        f'<td class="n">{each["traced"]}</td><td class="n">{each["calls"]:,}</td>'
        f'<td class="n">{seconds(sum(trace["seconds"] for trace in each["traces"]))}</td></tr>'
        for each in functions
    )
    head = '<tr><th>Function</th><th class="n">Traces</th><th class="n">Calls</th><th class="n">Tracing</th></tr>'
    return f'<nav aria-label="Functions"><table>{head}{rows}</table></nav>'


def anchor(function: Mapping[str, Any]) -> str:
    return f"{function['name']}-{function['line'] + 1}"


def _section(function: Mapping[str, Any], sources: Mapping[str, str]) -> str:
    source = sources.get(function["file"], "")
    traces = [_recorded(trace) for trace in function["traces"]]
    avoidable = sum(trace.avoidable for trace in traces)
    steady = function["steady"]
    values = [("traces", str(function["traced"]), avoidable > 0), ("avoidable", str(avoidable), avoidable > 0)]
    values += [("calls", f"{function['calls']:,}", False), ("tracing", seconds(sum(t.seconds for t in traces)), False)]
    if steady["calls"]:
        values.append(("a call", seconds(steady["seconds"] / steady["calls"]), False))
    shown = source_table(source, *span_of(source, function["line"]), _callers(function)) if source else ""
    left_out = function["traced"] - len(traces)
    return (
        f'<section id="{escape(anchor(function))}"><h2><code>{escape(function["name"])}</code></h2>'
        f'<p class="place">{escape(short(function["file"]))}:{function["line"] + 1}</p>{figures(values)}'
        f"<h3>Traces, and what changed</h3>{trace_list(traces, left_out)}<h3>Source</h3>{shown}</section>"
    )


def _recorded(trace: Mapping[str, Any]) -> ShownTrace:
    caller = f"{short(trace['file'])}:{trace['line'] + 1}" if trace["file"] else ""
    given = (trace["signature"], trace["cause"], trace["remedy"], trace["seconds"], trace["operations"], caller)
    return ShownTrace(*given, trace["text"], trace["avoidable"])


def _callers(function: Mapping[str, Any]) -> dict[int, tuple[str, str]]:
    """The lines of the function's own file that caused traces."""
    found: dict[int, list[int]] = {}
    for number, trace in enumerate(function["traces"], 1):
        if trace["file"] == function["file"]:
            found.setdefault(trace["line"], []).append(number)
    return {line: ("called", f"trace {', '.join(map(str, numbers))}") for line, numbers in found.items()}


def span_of(source: str, line: int) -> tuple[int, int]:
    """The lines from 0 of the innermost function that has a line, its decorators included."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return line, line + 30
    spans: list[tuple[int, int]] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
            if first <= line < (node.end_lineno or 0):
                spans.append((first, (node.end_lineno or 0) - 1))
    return min(spans, key=lambda span: span[1] - span[0], default=(line, line + 30))


def short(file: str) -> str:
    try:
        relative = os.path.relpath(file)
    except ValueError:
        return file
    return file if relative.startswith("..") else relative
