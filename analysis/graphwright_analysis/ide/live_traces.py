"""What happened to a file's functions when they last ran, as `gw.function` tells of it in its accounts of traces.

It is given accounts that were read already, and runs nothing. What was recorded of an earlier state of a function is
said to be so.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range

from . import markdown
from .inlay_hints import TRACES, InlayHint

_SHOWN_TRACES = 6
_LONGEST_TEXT, _LARGEST_NUMBER = 10_000, 10**12
"""What is longer or larger than anything that a run records is cut."""


@immutable
class LiveTrace:
    """One trace: what it was made for, why, and where; lines count from 0."""

    signature: str
    cause: str
    remedy: str
    seconds: float
    operations: int
    avoidable: bool
    file: str
    line: int
    text: str


@immutable
class LiveFunction:
    """What one run made of one function; `seconds_each` is what a call took that traced nothing."""

    file: str
    line: int
    name: str
    digest: str
    calls: int
    staged: int
    traced: int
    seconds_each: float | None
    traces: tuple[LiveTrace, ...]


@immutable
class LiveRun:
    """The account of one process."""

    started: str
    program: str
    python: str
    tensorflow: str
    functions: tuple[LiveFunction, ...]


@immutable
class LiveFinding:
    """A function of a file with what its last run made of it; `is_edited` if it has changed since."""

    range: Range
    function: LiveFunction
    run: LiveRun
    is_edited: bool

    @property
    def title(self) -> str:
        """What a lens over the function says."""
        function = self.function
        traces = _count(function.traced, "trace")
        avoidable = sum(trace.avoidable for trace in function.traces)
        parts = [f"{traces} ({avoidable} avoidable)" if avoidable else traces]
        parts.append(_count(function.calls, "call") if function.calls or not function.staged else "called in graphs")
        if function.seconds_each is not None:
            parts.append(f"{duration(function.seconds_each)} each")
        return f"{' · '.join(parts)} ({'before your edits' if self.is_edited else 'last run'})"

    @property
    def markdown(self) -> str:
        """What a hover on the function's name says."""
        function, run = self.function, self.run
        program, version = (
            os.path.basename(run.program) or "python",
            markdown.prose(f"TensorFlow {run.tensorflow}".rstrip()),
        )
        head = f"**Last run** of {markdown.code(program)}, {markdown.prose(run.started.replace('T', ' '))}, {version}"
        edited = ", before your edits" if self.is_edited else ""
        return _paragraphs(f"{head}{edited}: {_calls_words(function)}.", function.traces, function.traced)


def live_run(data: Any) -> LiveRun | None:
    """An account as it was read from a file; None if it isn't one."""
    account = _Table(data)
    if account.whole("version") != 1:
        return None
    functions = tuple(_function(_Table(item)) for item in account.rows("functions"))
    named = tuple(function for function in functions if function.name and function.file)
    texts = [account.text(name) for name in ("started", "program", "python", "tensorflow")]
    return LiveRun(texts[0], texts[1], texts[2], texts[3], named)


def live_findings(project: Project, path: str, runs: Sequence[LiveRun]) -> list[LiveFinding]:
    """The functions of a file that have run, each with its latest of these runs, whose order is from new to old."""
    latest: dict[str, tuple[LiveFunction, LiveRun]] = {}
    for run in runs:
        for function in run.functions:
            if _same_file(function.file, path):
                latest.setdefault(function.name, (function, run))
    if not latest:
        return []
    module = project.module(path)
    found = [
        LiveFinding(
            _name_range(module, block, node), *latest[name], _digest(module, block, node) != latest[name][0].digest
        )
        for name, block, node in _functions(module)
        if name in latest
    ]
    by_name = {latest_of.function.name: latest_of for latest_of in found}  # the last definition counts, as in Python
    return sorted(by_name.values(), key=lambda finding: finding.range.start)


def live_hints(project: Project, path: str, span: Range, runs: Sequence[LiveRun]) -> list[InlayHint]:
    """After each call in a part of a file, how often it traced in the latest run."""
    if not runs:
        return []
    lines = project.module(path).lines
    found: dict[int, list[LiveTrace]] = {}
    for trace in (trace for function in runs[0].functions for trace in function.traces):
        if trace.text and _same_file(trace.file, path) and trace.line < len(lines.starts):
            line = lines.line_range(trace.line)
            is_same = lines.text[line.start : line.end].strip() == trace.text
            if is_same and span.start <= line.end <= span.end:
                found.setdefault(line.end, []).append(trace)
    return [
        InlayHint(offset, _call_words(traces), TRACES, _call_markdown(traces))
        for offset, traces in sorted(found.items())
    ]


def duration(seconds: float) -> str:
    """A time in the unit that suits it, with two or three figures."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            number = seconds / size
            return f"{number:.0f} {unit}" if number >= 99.95 else f"{number:.3g} {unit}"
    return ""


def _call_words(traces: Sequence[LiveTrace]) -> str:
    avoidable = sum(trace.avoidable for trace in traces)
    # The number first: an editor may cut a long hint.
    return _count(len(traces), "trace") + (f" ({avoidable} avoidable)" if avoidable else "") + ", last run"


def _call_markdown(traces: Sequence[LiveTrace]) -> str:
    return _paragraphs("In the last run this call traced:", traces, len(traces))


def _paragraphs(head: str, traces: Sequence[LiveTrace], count: int) -> str:
    shown = traces[:_SHOWN_TRACES]
    lines = "\n".join(f"{number}. {_trace_words(trace)}" for number, trace in enumerate(shown, 1))
    more = f"{_count(count - len(shown), 'more trace')}." if count > len(shown) else ""
    remedies: dict[str, str] = {}  # of those that begin alike the first: they differ in a value
    for trace in traces:
        remedies.setdefault(trace.remedy.partition(". ")[0], trace.remedy)
    advice = [markdown.prose(remedy) for remedy in [*remedies.values()][:_SHOWN_TRACES]]
    return "\n\n".join(part for part in (head, lines, more, *advice) if part)


def _trace_words(trace: LiveTrace) -> str:
    where = f"{markdown.prose(os.path.basename(trace.file))}:{trace.line + 1}, " if trace.file else ""
    cost = f"{where}{duration(trace.seconds)}, {_count(trace.operations, 'operation')}"
    cause = f"{markdown.prose(trace.cause)}{' *Avoidable.*' if trace.avoidable else ''}"
    return f"{markdown.code(trace.signature)} ({cost})  \n   {cause}"


def _calls_words(function: LiveFunction) -> str:
    parts = [_count(function.calls, "call")]
    if function.seconds_each is not None:
        parts.append(f"{duration(function.seconds_each)} each")
    if function.staged:
        parts.append(f"{_count(function.staged, 'time')} part of another function's graph")
    parts.append(_count(function.traced, "trace"))
    return ", ".join(parts)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _function(table: _Table) -> LiveFunction:
    steady = _Table(table.values.get("steady"))
    calls, seconds = steady.whole("calls"), steady.number("seconds")
    if not calls:
        calls, seconds = table.whole("calls"), table.number("seconds")
    traces = tuple(_trace(_Table(item)) for item in table.rows("traces"))
    return LiveFunction(
        file=table.text("file"),
        line=table.whole("line"),
        name=table.text("name"),
        digest=table.text("digest"),
        calls=table.whole("calls"),
        staged=table.whole("staged"),
        traced=max(table.whole("traced"), len(traces)),
        seconds_each=seconds / calls if calls else None,
        traces=traces,
    )


def _trace(table: _Table) -> LiveTrace:
    return LiveTrace(
        signature=table.text("signature"),
        cause=table.text("cause"),
        remedy=table.text("remedy"),
        seconds=table.number("seconds"),
        operations=table.whole("operations"),
        avoidable=table.values.get("avoidable") is True,
        file=table.text("file"),
        line=table.whole("line"),
        text=table.text("text"),
    )


class _Table:
    """An object of a file that anyone may have written: what isn't as it should be is taken as nothing."""

    def __init__(self, data: Any) -> None:
        self.values: Mapping[str, Any] = cast("Mapping[str, Any]", data) if isinstance(data, dict) else {}

    def text(self, name: str) -> str:
        value = self.values.get(name)
        return value[:_LONGEST_TEXT].encode("utf-8", "replace").decode() if isinstance(value, str) else ""

    def whole(self, name: str) -> int:
        value = self.values.get(name)
        return min(max(value, 0), _LARGEST_NUMBER) if isinstance(value, int) else 0

    def number(self, name: str) -> float:
        value = self.values.get(name)
        if not isinstance(value, (int, float)) or value != value:  # NaN isn't equal to itself
            return 0.0
        return float(min(max(value, 0), _LARGEST_NUMBER))

    def rows(self, name: str) -> list[Any]:
        value = self.values.get(name)
        return cast("list[Any]", value) if isinstance(value, list) else []


def _functions(module: Module) -> Iterator[tuple[str, Block, gast.FunctionDef]]:
    for block in module.blocks:
        for statement in block.statements:
            yield from ((name, block, node) for name, node in _named(statement, ""))


def _named(node: Any, around: str) -> Iterator[tuple[str, gast.FunctionDef]]:
    inner = around
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        inner = f"{around}.{node.name}" if around else node.name
    if isinstance(node, gast.FunctionDef):
        yield inner, node
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in cast("list[Any]", getattr(node, field, None) or []):
            yield from _named(child, inner)


def _name_range(module: Module, block: Block, node: gast.FunctionDef) -> Range:
    """The name after `def`, else the definition's beginning."""
    span = module.range_of(block, node)
    decorators = [module.range_of(block, decorator).end for decorator in node.decorator_list]
    start = module.text.find(f"def {node.name}", max([span.start, *decorators]), span.end)
    return Range(start + 4, start + 4 + len(node.name)) if start >= 0 else Range(span.start, span.start)


def _digest(module: Module, block: Block, node: gast.FunctionDef) -> str:
    """Of the lines from the first decorator to the end, as the run time computes it."""
    spans = [module.range_of(block, part) for part in (node, *node.decorator_list)]
    first = module.lines.line_column(min(span.start for span in spans))[0]
    last = module.lines.line_column(max(span.end for span in spans))[0]
    ranges = [module.lines.line_range(line) for line in range(first, last + 1)]
    source = "\n".join(module.text[span.start : span.end].rstrip() for span in ranges)
    return hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()[:16]


def _same_file(one: str, other: str) -> bool:
    return one == other or os.path.normcase(one) == os.path.normcase(other)
