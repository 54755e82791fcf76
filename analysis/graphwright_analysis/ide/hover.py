"""Hover: what a name is while the code is traced, and which rule a finding at the place comes from."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from graphwright_analysis.project import Project
from graphwright_analysis.rule import find_rule
from graphwright_analysis.syntax import Block
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Trace
from graphwright_analysis.values.domain import Value

from .values import describe


@dataclass(frozen=True, slots=True)
class Hover:
    range: Range
    markdown: str


def hover(project: Project, path: str, offset: int) -> Hover | None:
    """What is known at a place, or None."""
    parts: list[str] = []
    module = project.module(path)
    if not module.blocks:
        return None
    block = module.block_at(offset)
    start = module.start_of(block)
    node = _name_at(block, offset - start)
    span: Range | None = None
    if node is not None:
        described = describe(_value(project.trace(path), node))
        if described is not None:
            span = block.range_of(node).shifted(start)
            name = module.text[span.start : span.end] if not isinstance(node, gast.Name) else node.id
            parts.append(f"```python\n{name}: {described}\n```")
            span = Range(span.start, span.start + len(name)) if isinstance(node, gast.Name) else span
    for diagnostic in project.check(path):
        if diagnostic.range.contains(offset):
            rule = find_rule(diagnostic.rule)
            span = span or diagnostic.range
            parts.append(f"**{diagnostic.rule}** ({diagnostic.family}): {rule.summary if rule else ''}")
    if span is None or not parts:
        return None
    return Hover(span, "\n\n".join(dict.fromkeys(parts)))


def _value(trace: Trace, node: gast.AST) -> Value | None:
    return trace.values.get(node)


def _name_at(block: Block, offset: int) -> gast.AST | None:
    """The innermost name or attribute that a cursor touches."""
    best: tuple[int, gast.AST] | None = None
    pending: list[gast.AST] = [*reversed(block.statements)]
    while pending:
        node = pending.pop()
        decorators = getattr(node, "decorator_list", None)
        if isinstance(node, (gast.stmt, gast.ExceptHandler)) and not block.range_of(node).contains(offset):
            pending += reversed(decorators or ())
            continue
        if isinstance(node, (gast.Name, gast.Attribute)):
            span = block.range_of(node)
            if isinstance(node, gast.Name):
                span = Range(span.start, span.start + len(node.id))
            if span.contains(offset) and (best is None or span.end - span.start < best[0]):
                best = (span.end - span.start, node)
        pending += reversed([*gast.iter_child_nodes(node)])
    return best[1] if best is not None else None
