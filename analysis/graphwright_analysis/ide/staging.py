"""The state of a staged branch or loop: the names that go through it, with what they are on each side.

Whether it is staged at all is in `control_flow`.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from graphwright_analysis.syntax import Block
from graphwright_analysis.tracing import Decided, Trace
from graphwright_analysis.tracing.facts import RESULT, RETURNED, StagedBranch, StagedLoop
from graphwright_analysis.values.domain import UNDEFINED, Value

from . import markdown
from .values import describe


def state_through(trace: Trace, block: Block, node: Decided) -> Iterator[str]:
    """A table of the names that a staged construct carries, as its first visit saw them."""
    if isinstance(node, (gast.For, gast.While)):
        loop = _loop(trace, block, node)
        if loop is not None and loop.names:
            yield _table(
                ("carried", "before", "after one iteration"),
                [(name.symbol, name.before, name.after) for name in loop.names],
            )
        return
    branch = _branch(trace, block, node)
    if branch is not None and branch.names:
        yield _table(
            ("set", "if taken", "otherwise"),
            [(name.symbol, name.body, name.orelse) for name in branch.names],
        )


def _branch(trace: Trace, block: Block, node: gast.If | gast.IfExp) -> StagedBranch | None:
    span = block.range_of(node)
    for fact in trace.facts:
        if isinstance(fact, StagedBranch) and fact.statement.block is block and fact.statement.range == span:
            return fact
    return None


def _loop(trace: Trace, block: Block, node: gast.For | gast.While) -> StagedLoop | None:
    span = block.range_of(node.iter if isinstance(node, gast.For) else node.test)
    for fact in trace.facts:
        if isinstance(fact, StagedLoop) and fact.place.block is block and fact.place.range == span:
            return fact
    return None


def _table(head: tuple[str, str, str], rows: list[tuple[str, Value, Value]]) -> str:
    lines = [f"| {' | '.join(head)} |", "|---|---|---|"]
    lines += [f"| {_symbol(name)} | {_cell(first)} | {_cell(second)} |" for name, first, second in rows]
    return "\n".join(lines)


def _symbol(name: str) -> str:
    return {RETURNED: "*returned*", RESULT: "*value*"}.get(name, f"`{name}`")


def _cell(value: Value) -> str:
    if value is UNDEFINED:
        return "*not bound*"
    text = describe(value)
    return markdown.cell(text) if text else "?"
