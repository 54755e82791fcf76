"""Hover: what a name or expression is while the code is traced, who decides at a keyword, and which rule has spoken.

Each kind of answer is a section; the generated code of a function is the converter's to show, beside these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.rule import find_rule
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place, Trace
from graphwright_analysis.values.domain import Bound, Traced, Value

from . import bindings, control_flow, keywords, markdown, staging
from .accounts import sites
from .nodes import path_to, span_of
from .traces import told
from .values import describe


@immutable
class Hover:
    range: Range
    markdown: str


@immutable
class _Cursor:
    """What is under the cursor: `offset` and the ranges of sections are in the block."""

    project: Project
    file: str
    module: Module
    block: Block
    trace: Trace
    path: Sequence[gast.AST]
    offset: int


_Section = Callable[[_Cursor], Iterator[Hover]]


def hover(project: Project, path: str, offset: int) -> Hover | None:
    """What is known at a place, or None."""
    module = project.module(path)
    if not module.blocks:
        return None
    block = module.block_at(offset)
    start = module.start_of(block)
    inside = offset - start
    place = _Cursor(
        project, path, module, block, project.trace_with_callers(path, shown=True), path_to(block, inside), inside
    )
    parts = [part for section in _SECTIONS for part in section(place)]
    if not parts:
        return None
    text = "\n\n".join(dict.fromkeys(part.markdown for part in parts))
    return Hover(parts[0].range.shifted(start), text)


def _control_flow(place: _Cursor) -> Iterator[Hover]:
    """Who decides at a keyword, and what goes through it."""
    found = keywords.keyword_at(place.block, place.path, place.offset)
    if found is None:
        return
    node, span = found
    words = control_flow.in_words(place.trace, place.block, node)
    if words is not None:
        yield Hover(span, "\n\n".join([words, *staging.state_through(place.trace, place.block, node)]))


def _value(place: _Cursor) -> Iterator[Hover]:
    """What a name or expression is, and where it comes from."""
    if keywords.keyword_at(place.block, place.path, place.offset) is not None:
        return
    path = _expression(place)
    described = describe(place.trace.values.get(path[-1])) if path else None
    if described is None:
        return
    span = span_of(place.block, path[-1])
    text = control_flow.source(place.block, path[-1]) if not isinstance(path[-1], gast.Name) else path[-1].id
    origin = bindings.bound(place.module, place.trace, place.block, path, place.trace.values.get(path[-1]))
    yield Hover(span, markdown.block(f"{text}: {described}") + "".join(f"\n\n{each}." for each in origin))


def _call(place: _Cursor) -> Iterator[Hover]:
    """Which trace a call of a traced function uses, at the name that is called."""
    for caller, called in zip(place.path, place.path[1:], strict=False):
        if isinstance(caller, gast.Call) and caller.func is called and _is_traced(place.trace.values.get(called)):
            span = place.block.range_of(caller)
            found = sites(place.project.trace(place.file)).get(Place(place.block, span))
            if found is not None:
                yield Hover(span_of(place.block, called), told(*found)[1])


def _is_traced(value: Value | None) -> bool:
    return isinstance(value, Traced) or (isinstance(value, Bound) and _is_traced(value.target))


def _expression(place: _Cursor) -> Sequence[gast.AST]:
    """The path to the innermost expression that has something to tell; of a function's name, to its call."""
    path = list(place.path)
    while path and not isinstance(path[-1], _TOLD):
        path.pop()
    if not path or not span_of(place.block, path[-1]).contains(place.offset):
        return []
    if describe(place.trace.values.get(path[-1])) is not None:
        return path
    while len(path) > 1 and isinstance(path[-2], gast.Attribute):
        path.pop()
        if describe(place.trace.values.get(path[-1])) is not None:
            return path
    called = len(path) > 1 and isinstance(path[-2], gast.Call) and path[-2].func is path[-1]
    return path[:-1] if called else []


_TOLD = (
    gast.Name,
    gast.Attribute,
    gast.Call,
    gast.Subscript,
    gast.BinOp,
    gast.UnaryOp,
    gast.Compare,
    gast.BoolOp,
    gast.IfExp,
)


def _findings(place: _Cursor) -> Iterator[Hover]:
    """The page of each rule that has found something here."""
    start = place.module.start_of(place.block)
    for diagnostic in place.project.check(place.file):
        if diagnostic.range.contains(place.offset + start):
            rule = find_rule(diagnostic.rule)
            more = f" {rule.summary} [More]({rule.url})" if rule else ""
            yield Hover(diagnostic.range.shifted(-start), f"**{diagnostic.rule}** ({diagnostic.family}):{more}")


_SECTIONS: tuple[_Section, ...] = (_control_flow, _value, _call, _findings)
