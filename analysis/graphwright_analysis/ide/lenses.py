"""Code lenses: what there is to see and do at each function that a graph is made of.

Which commands an editor has is the server's to know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gast

from graphwright_analysis.project import Project
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Trace
from graphwright_analysis.tracing.facts import TracedMade

from .nodes import functions_in, name_span
from .traces import Account, accounts

PREVIEW = "preview"
TRACE = "trace"
TIME = "time"
TRACES = "traces"


@dataclass(frozen=True, slots=True)
class Lens:
    """A line above a function: `range` is that of its name, `offset` where a command is to look for it."""

    range: Range
    offset: int
    title: str
    kind: str


def code_lenses(project: Project, path: str) -> tuple[Lens, ...]:
    """The lenses of a file, function by function."""
    module, trace = project.module(path), project.trace(path)
    known = accounts(trace)
    found: dict[Range, tuple[Lens, ...]] = {}
    for traced in _traced(module, trace):
        if traced.range not in found:
            found[traced.range] = tuple(_lenses(traced, known))
    return tuple(lens for range in sorted(found) for lens in found[range])


@dataclass(frozen=True, slots=True)
class _Traced:
    """A function that is traced: where the lenses go, where its name stands, and its definition where that is known."""

    range: Range
    name: Range
    function: gast.AST | None


def _lenses(traced: _Traced, known: tuple[Account, ...]) -> Iterator[Lens]:
    yield Lens(traced.range, traced.name.start, "Preview graph code", PREVIEW)
    yield Lens(traced.range, traced.name.start, "Trace", TRACE)
    count = _count(traced.function, known)
    if count is not None:
        yield Lens(traced.range, traced.name.start, count, TRACES)
    yield Lens(traced.range, traced.name.start, "Time", TIME)


def _count(function: gast.AST | None, known: tuple[Account, ...]) -> str | None:
    """How many traces the calls in the file make, where that is sure."""
    own = [account for account in known if account.function is function]
    if not own or not all(account.counted and account.complete for account in own):
        return None
    number = sum(len(account.first) for account in own)
    return "1 trace" if number == 1 else f"{number} traces"


def _traced(module: Module, trace: Trace) -> Iterator[_Traced]:
    """Where `tf.function` is applied: the function's name, or the line on which one is wrapped."""
    defined: dict[Block, list[gast.FunctionDef]] = {}
    for fact in trace.facts:
        if not isinstance(fact, TracedMade) or fact.statement.block not in module.starts_of:
            continue
        block, start = fact.statement.block, module.start_of(fact.statement.block)
        if not fact.decorated:
            range = fact.place.range.shifted(start)
            yield _wrapped(module, fact.name, range) or _Traced(range, range, None)
            continue
        for function in defined.setdefault(block, [*functions_in(block)]):
            if block.range_of(function) == fact.statement.range:
                name = name_span(block, function).shifted(start)
                yield _Traced(name, name, function)


def _wrapped(module: Module, name: str, range: Range) -> _Traced | None:
    """The function that is wrapped at a range, if it is the only one of its name."""
    found = [
        (block, function)
        for block in module.blocks
        if f"def {name}" in block.text
        for function in functions_in(block)
        if function.name == name
    ]
    if len(found) != 1:
        return None
    block, function = found[0]
    return _Traced(range, name_span(block, function).shifted(module.start_of(block)), function)
