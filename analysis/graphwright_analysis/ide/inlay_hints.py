"""Inlay hints: dtype and shape where a tensor is bound or returned, and who decides at control flow.

Nothing is shown where a value isn't known or is plain Python, or where the line above has said it already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.syntax import Block
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Decided, Place, Trace
from graphwright_analysis.tracing.facts.decisions import GRAPH, PYTHON
from graphwright_analysis.values.domain import Value

from . import control_flow, markdown
from .accounts import CallSite, PredictedTraces, sites
from .nodes import expressions_in
from .traces import told
from .values import describe, shown

TYPES: Final = "types"
CONTROL_FLOW: Final = "control flow"
TRACES: Final = "traces"
HintKind = Literal["types", "control flow", "traces"]
KINDS: frozenset[HintKind] = frozenset({TYPES, CONTROL_FLOW, TRACES})


@immutable
class InlayHint:
    """A few characters to be shown at an offset, and a tooltip in Markdown."""

    offset: int
    label: str
    kind: HintKind
    tooltip: str


def inlay_hints(project: Project, path: str, span: Range, kinds: frozenset[HintKind] = KINDS) -> tuple[InlayHint, ...]:
    """The hints of these kinds in a part of a file, in the order of the text."""
    module = project.module(path)
    calls = sites(project.trace(path)) if TRACES in kinds else {}
    trace = project.trace_with_callers(path)
    values: Mapping[gast.AST, Value] = trace.values.together() if TYPES in kinds else {}
    found: dict[tuple[int, str | int], InlayHint] = {}
    said: dict[str, str] = {}
    for block, start in zip(module.blocks, module.starts, strict=True):
        outside = start > span.end or start + len(block.text) < span.start
        if not trace.starts or (outside and all(isinstance(each, _SCOPES) for each in block.statements)):
            continue
        within = span.shifted(-start)
        hints = [*_in_block(_HintedBlock(trace, values, block, said), kinds)]
        if TRACES in kinds and not outside:
            hints += _traces(calls, block)
        for hint in hints:
            if within.start <= hint.offset <= within.end:
                placed = InlayHint(hint.offset + start, hint.label, hint.kind, hint.tooltip)
                # A line says once who decides and how often it traces, but of each name what it is.
                what = {TRACES: TRACES, TYPES: placed.offset}.get(hint.kind, hint.label)
                found.setdefault((module.lines.line_of(placed.offset), what), placed)
    return tuple(sorted(found.values(), key=lambda hint: hint.offset))


@dataclass(slots=True)
class _HintedBlock:
    """A block under way; `said` holds what the names of the function or file around were last said to be."""

    trace: Trace
    values: Mapping[gast.AST, Value]
    block: Block
    said: dict[str, str]


def _in_block(view: _HintedBlock, kinds: frozenset[str]) -> Iterator[InlayHint]:
    pending: list[tuple[gast.AST, dict[str, str]]] = [(each, view.said) for each in reversed(view.block.statements)]
    while pending:
        node, said = pending.pop()
        view.said = said
        if isinstance(node, gast.expr):
            if CONTROL_FLOW in kinds:
                yield from _conditionals(view, node)
            continue
        if CONTROL_FLOW in kinds and isinstance(node, (gast.If, gast.For, gast.While)):
            yield from _decided(view, node)
        if TYPES in kinds:
            yield from _types(view, node)
        inner: dict[str, str] = {} if isinstance(node, _SCOPES) else said
        pending += [(child, inner) for child in reversed([*gast.iter_child_nodes(node)])]


_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


# Types


def _types(view: _HintedBlock, node: gast.AST) -> Iterator[InlayHint]:
    match node:
        case gast.Assign():
            for target in node.targets:
                yield from _bound(view, target, node.value)
        case gast.For():
            yield from _bound(view, node.target, None)
        case gast.With():
            for item in node.items:
                if item.optional_vars is not None:
                    yield from _bound(view, item.optional_vars, None)
        case gast.Return() if node.value is not None and not isinstance(node.value, (gast.Name, gast.Tuple)):
            yield from _typed(view, node.value, node.value)
        case gast.FunctionDef():
            yield from _parameters(view, node)
        case _:
            pass


def _bound(view: _HintedBlock, target: gast.AST, source: gast.AST | None) -> Iterator[InlayHint]:
    match target:
        case gast.Tuple() | gast.List():
            for element in target.elts:
                yield from _bound(view, element, None)
        case gast.Starred():
            pass
        case gast.Name() if not target.id.startswith("_"):
            yield from _typed(view, target, target, target.id)
        case gast.Attribute() if source is not None:
            yield from _typed(view, target, source, control_flow.source(view.block, target))
        case _:
            pass


def _typed(view: _HintedBlock, at: gast.AST, valued: gast.AST, name: str | None = None) -> Iterator[InlayHint]:
    value = view.values.get(valued)
    text = shown(value)
    if text is None:
        if name is not None:
            view.said.pop(name, None)
        return
    if name is not None:
        if view.said.get(name) == text:
            return
        view.said[name] = text
    offset = view.block.range_of(at).end
    if isinstance(at, gast.Name) and name is not None:
        offset = view.block.range_of(at).start + len(name)
    label = f" → {text}" if name is None else f": {text}"  # what is returned isn't its last name's
    yield InlayHint(offset, label, TYPES, markdown.block(f"{name or 'returned'}: {describe(value)}"))


def _parameters(view: _HintedBlock, node: gast.FunctionDef) -> Iterator[InlayHint]:
    arguments = node.args
    for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        value = view.values.get(parameter)
        text = shown(value)
        if text is None:
            continue
        tooltip = markdown.block(f"{parameter.id}: {describe(value)}") + "\nin the visible calls."
        annotation = parameter.annotation
        if annotation is None:
            end = view.block.range_of(parameter).start + len(parameter.id)
            yield InlayHint(end, f": {text}", TYPES, tooltip)
        elif text.partition("[")[0] not in control_flow.source(view.block, annotation):
            yield InlayHint(view.block.range_of(annotation).end, f" {text}", TYPES, tooltip)


# Traces


def _traces(calls: Mapping[Place, tuple[PredictedTraces, CallSite]], block: Block) -> Iterator[InlayHint]:
    for place, (account, site) in sorted(calls.items(), key=lambda entry: entry[0].range):
        alone = len(account.sites) == len(account.first) == 1 and account.complete and not site.endless
        if place.block is block and not alone:
            label, tooltip = told(account, site)
            yield InlayHint(place.range.end, label, TRACES, tooltip)


# Control flow


def _decided(view: _HintedBlock, node: gast.If | gast.For | gast.While) -> Iterator[InlayHint]:
    header = node.iter if isinstance(node, gast.For) else node.test
    found = control_flow.verdict(view.trace, view.block, node)
    if found is None or (found.decided_by == PYTHON and _is_plain(header)):
        return
    yield InlayHint(_behind_colon(view.block, header), _label(node, found), CONTROL_FLOW, found.why)


def _label(node: Decided, found: control_flow.Verdict) -> str:
    if found.decided_by == PYTHON and isinstance(node, gast.For) and found.turns is not None:
        most = "≤" if control_flow.may_end_early(node) else ""
        return f"Python, {most}{found.turns}×"
    return {GRAPH: "graph", PYTHON: "Python"}.get(found.decided_by, "graph or Python")


def _conditionals(view: _HintedBlock, node: gast.AST) -> Iterator[InlayHint]:
    """The conditional expressions that become part of the graph; that the others are Python is no news."""
    for child in expressions_in(node):
        if not isinstance(child, gast.IfExp):
            continue
        found = control_flow.verdict(view.trace, view.block, child)
        if found is not None and found.decided_by != PYTHON:
            end = view.block.range_of(child.test).end
            yield InlayHint(end, _label(child, found), CONTROL_FLOW, found.why)


def _is_plain(test: gast.AST) -> bool:
    """Whether anybody can see that a condition is Python's."""
    match test:
        case gast.Constant():
            return True
        case gast.Compare():
            return all(isinstance(op, (gast.Is, gast.IsNot)) for op in test.ops)
        case gast.Call():
            return isinstance(test.func, gast.Name) and test.func.id in ("isinstance", "hasattr", "callable")
        case gast.UnaryOp():
            return _is_plain(test.operand)
        case gast.BoolOp():
            return all(map(_is_plain, test.values))
        case _:
            return False


def _behind_colon(block: Block, header: gast.AST) -> int:
    end = block.range_of(header).end
    line_end = block.text.find("\n", end)
    colon = block.text.find(":", end, line_end if line_end >= 0 else len(block.text))
    return end if colon < 0 or "#" in block.text[end:colon] else colon + 1
