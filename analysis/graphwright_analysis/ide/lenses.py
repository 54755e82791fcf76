"""Code lenses: what there is to see and do at each function that a graph is made of.

Which commands an editor has is the server's to know.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place, Trace
from graphwright_analysis.tracing.facts import FunctionMapped, TracedMade

from . import trace_counts
from .accounts import PredictedTraces, accounts
from .coverage import FunctionCoverage, Status, file_coverage
from .nodes import functions_in, name_span

PREVIEW: Final = "preview"
TRACE: Final = "trace"
TIME: Final = "time"
TRACES: Final = "traces"
COVERAGE: Final = "coverage"
LensKind = Literal["preview", "trace", "time", "traces", "coverage", "last run"]
"""The last one is of what a program reported when it was run."""


@immutable
class Lens:
    """A line above a function: `range` is that of its name, `offset` where a command is to look for it."""

    range: Range
    offset: int
    title: str
    kind: LensKind


def code_lenses(project: Project, path: str) -> tuple[Lens, ...]:
    """The lenses of a file, function by function."""
    module, trace = project.module(path), project.trace(path)
    known: dict[int, list[PredictedTraces]] = defaultdict(list)
    for account in accounts(trace):
        known[account.traced].append(account)
    elsewhere = trace_counts.elsewhere(project, path)
    found: dict[Range, tuple[Lens, ...]] = {}
    for traced in (*_traced(module, trace), *_mapped(module, trace)):
        if traced.range not in found:
            found[traced.range] = tuple(_lenses(traced, known, elsewhere))
    for function in file_coverage(project, path):
        if function.blind:
            title = _blindness(module, function)
            dark = Lens(function.range, function.blind[0].range.start, title, COVERAGE)
            found[function.range] = (*found.get(function.range, ()), dark)
    return tuple(lens for range in sorted(found) for lens in found[range])


def _blindness(module: Module, function: FunctionCoverage) -> str:
    first, *others = function.blind
    if function.status is Status.NOT_ENTERED:
        return f"not analyzed:  {first.why}"
    more = f", and {len(others)} more" if others else ""
    return f"not analyzed past line  {module.lines.line_of(first.range.start) + 1}: {first.why}{more}"


@immutable
class _TracedFunction:
    """A function that is traced: where the lenses go, where its name stands, the numbers of what was made there, and
    the function itself, where its own header says so."""

    range: Range
    name: Range
    made: frozenset[int]
    node: gast.AST | None = None


def _lenses(
    traced: _TracedFunction,
    known: Mapping[int, Sequence[PredictedTraces]],
    elsewhere: Mapping[str, Sequence[PredictedTraces]],
) -> Iterator[Lens]:
    yield Lens(traced.range, traced.name.start, "Preview graph code", PREVIEW)
    yield Lens(traced.range, traced.name.start, "Trace", TRACE)
    own = [account for number in sorted(traced.made) for account in known.get(number, ())]
    count = trace_counts.told(own, traced.node, elsewhere)
    if count:
        yield Lens(traced.range, traced.name.start, count, TRACES)
    yield Lens(traced.range, traced.name.start, "Time", TIME)


def _traced(module: Module, trace: Trace) -> Iterator[_TracedFunction]:
    """Where `tf.function` is applied: the function's name, or the line on which one is wrapped."""
    made: dict[tuple[Place, Place], list[TracedMade]] = {}
    for fact in trace.facts:
        if isinstance(fact, TracedMade) and fact.statement.block in module.starts_of:
            made.setdefault((fact.place, fact.statement), []).append(fact)
    defined: dict[Block, list[gast.FunctionDef]] = {}
    named: dict[str, list[tuple[Block, gast.FunctionDef]]] = {}
    for (place, statement), facts in made.items():
        block, start = statement.block, module.start_of(statement.block)
        numbers = frozenset(fact.traced for fact in facts)
        if not facts[0].decorated:
            range = place.range.shifted(start)
            named = named or _named(module)
            yield _TracedFunction(range, _name_of(module, named.get(facts[0].name, ())) or range, numbers)
            continue
        for function in defined.setdefault(block, [*functions_in(block)]):
            if block.range_of(function) == statement.range:
                name = name_span(block, function).shifted(start)
                yield _TracedFunction(name, name, numbers, function)


def _mapped(module: Module, trace: Trace) -> Iterator[_TracedFunction]:
    """The functions with a name that a dataset's methods, such as `map` and `filter`, trace."""
    places = {(each.function.block, each.function.range) for each in trace.facts if isinstance(each, FunctionMapped)}
    for block in {block for block, _ in places if block in module.starts_of}:
        for function in functions_in(block):
            if (block, block.range_of(function)) in places:
                name = name_span(block, function).shifted(module.start_of(block))
                yield _TracedFunction(name, name, frozenset())


def _named(module: Module) -> dict[str, list[tuple[Block, gast.FunctionDef]]]:
    """The functions of a file by their names."""
    found: dict[str, list[tuple[Block, gast.FunctionDef]]] = defaultdict(list)
    for block in module.blocks:
        for function in functions_in(block):
            found[function.name].append((block, function))
    return found


def _name_of(module: Module, found: Sequence[tuple[Block, gast.FunctionDef]]) -> Range | None:
    """Where a function of a name is defined, if it is the only one."""
    if len(found) != 1:
        return None
    block, function = found[0]
    return name_span(block, function).shifted(module.start_of(block))
