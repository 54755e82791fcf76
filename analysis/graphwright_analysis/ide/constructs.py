"""The control flow of a stretch of code at a glance: what becomes part of the graph, and what Python decides.

Why that is so is told at the keyword itself.
"""

from __future__ import annotations

from typing import Literal

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.text import Range
from graphwright_analysis.tracing.facts.decisions import EAGER

from .control_flow import Decider, verdict


@immutable
class Construct:
    """An `if` or loop of graph code, and who decides there."""

    keyword: str
    offset: int
    decided_by: Decider | Literal["unknown"]


def constructs_in(project: Project, path: str, span: Range) -> tuple[Construct, ...]:
    """The statements of control flow that begin in a span and are part of graph code, in the order of the text."""
    module = project.module(path)
    if not module.blocks:
        return ()
    block, trace = module.block_at(span.start), project.trace_with_callers(path)
    start = module.start_of(block)
    found: list[Construct] = []
    for statement in block.statements:
        for node in gast.walk(statement):
            if not isinstance(node, gast.If | gast.For | gast.While):
                continue
            offset = block.range_of(node).start + start
            if not span.contains(offset) or all(seen.verdict == EAGER for seen in trace.decisions(node)):
                continue
            told = verdict(trace, block, node)
            found.append(Construct(type(node).__name__.lower(), offset, told.decided_by if told else "unknown"))
    return tuple(sorted(found, key=lambda construct: construct.offset))
