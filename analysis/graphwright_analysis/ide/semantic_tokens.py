"""Semantic tokens: the keywords of control flow that becomes part of the graph, and what happens only while tracing.

Nothing else is told: names and types are other servers' to colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from graphwright_analysis.immutability import immutable
from graphwright_analysis.project import Project
from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Decided, Place, Trace
from graphwright_analysis.tracing.facts import Fact, IteratorAdvanced, OutsideCall, StateChanged, TensorLeaked
from graphwright_analysis.tracing.facts.decisions import GRAPH

from . import control_flow, keywords

STAGED: Final = "staged"
TRACED_ONCE: Final = "tracedOnce"

TokenType = Literal["keyword", "function", "variable"]
TokenModifier = Literal["staged", "tracedOnce"]


@immutable
class SemanticToken:
    """A stretch of one line; `modifier` is what is special about it."""

    range: Range
    kind: TokenType
    modifier: TokenModifier


def semantic_tokens(project: Project, path: str, span: Range | None = None) -> tuple[SemanticToken, ...]:
    """The tokens of a file, or of a part of it, in the order of the text; none overlap."""
    module, trace = project.module(path), project.trace_with_callers(path)
    found: dict[Range, SemanticToken] = {}
    for place, kind, modifier in (*_staged(trace), *_traced_once(trace)):
        if place.block not in module.starts_of:
            continue
        range = place.range.shifted(module.start_of(place.block))
        inside = span is None or range.overlaps(span)
        if inside and module.lines.line_of(range.start) == module.lines.line_of(range.end):
            found.setdefault(range, SemanticToken(range, kind, modifier))
    ordered = sorted(found.values(), key=lambda token: token.range)
    return tuple(token for at, token in enumerate(ordered) if not at or ordered[at - 1].range.end <= token.range.start)


_Found = tuple[Place, TokenType, TokenModifier]


def _staged(trace: Trace) -> Iterator[_Found]:
    for seen in trace.followed:
        for node, decisions in seen.decided.items():
            if not isinstance(node, Decided) or not any(each.verdict == GRAPH for each in decisions):
                continue
            verdict = control_flow.verdict(trace, decisions.block, node)
            if verdict is not None and verdict.decided_by != control_flow.PYTHON:
                for span in keywords.keywords(decisions.block, node):
                    yield trace.moved(Place(decisions.block, span)), "keyword", STAGED


def _traced_once(trace: Trace) -> Iterator[_Found]:
    for fact in trace.facts:
        place = _effect(fact)
        if place is not None:
            kind = "variable" if isinstance(fact, (StateChanged, TensorLeaked)) else "function"
            yield place, kind, TRACED_ONCE


def _effect(fact: Fact) -> Place | None:
    """Where something is written that happens while a function is traced and never again."""
    match fact:
        case OutsideCall(in_graph=True) if _ONCE.fullmatch(_called(fact)):
            return fact.function
        case StateChanged() | TensorLeaked() | IteratorAdvanced():
            return fact.place
        case _:
            return None


def _called(call: OutsideCall) -> str:
    """The dotted name of what is called; a method's with what its receiver was made by."""
    receiver = getattr(call.receiver, "name", None)
    return f"{receiver}.{call.name}" if call.receiver is not None else call.name


_ONCE = re.compile(
    r"print|input|open|logging\..*|warnings\.warn|os\.(getenv|urandom|environ\..*)|uuid\..*"
    r"|time\.(time|time_ns|perf_counter|perf_counter_ns|monotonic|monotonic_ns|process_time|sleep|strftime)"
    r"|datetime\.(datetime|date)\.(now|utcnow|today)"
    r"|random\.(?!seed|getstate|setstate|Random|SystemRandom).*|np\.random\.(?!seed|get_state|set_state|[A-Z]|default_rng).*"
)
"""Calls that do something, or give something else each time, and stand in the graph as they were once."""
