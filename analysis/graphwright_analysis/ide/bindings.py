"""Where a name was bound that stands for a tensor, and what made it one.

Only the function that the name stands in is looked at; what comes from outside of it is named by its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from graphwright_analysis.flow import build_cfg, reaching
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing import Place, Trace
from graphwright_analysis.tracing.facts import StagedBranch, StagedLoop, TracedCalled
from graphwright_analysis.values.domain import Tensor, Value, python_kind

from . import markdown
from .accounts import calls_of
from .control_flow import source
from .nodes import function_in, span_of
from .values import shown

_MOST = 3


def bound(module: Module, trace: Trace, block: Block, path: Sequence[gast.AST], value: Value | None) -> Iterator[str]:
    """Sentences on where the name at the end of a path, which stands for a value, comes from."""
    name = path[-1]
    function = function_in(path)
    if not isinstance(name, gast.Name) or function is None or not isinstance(name.ctx, gast.Load):
        if isinstance(name, gast.Name) and isinstance(name.ctx, gast.Param) and function is not None:
            yield from _given(module, trace, function, name.id)
        return
    definitions = _definitions(function, path, name.id)
    for definition in definitions[:_MOST]:
        if isinstance(definition, gast.Name) and isinstance(definition.ctx, gast.Param):
            yield from _given(module, trace, function, name.id)
        else:
            yield _bound_at(module, trace, block, definition)
    number = next((each for each in definitions if _is_number(trace, each)), None)
    if isinstance(value, Tensor) and number is not None:
        yield from _carried(module, trace, block, name, number)


def _definitions(function: gast.AST, path: Sequence[gast.AST], name: str) -> list[gast.AST]:
    """What may have bound the name last, in the order of the text."""
    graph = build_cfg(function)
    statement = next((node for node in reversed(path) if node in graph.spans), None)
    if statement is None:
        return []
    found = reaching(graph).definitions_at(statement, Symbol(name))
    # All of them stand in one function, and so in one block.
    return sorted(found, key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))


def _bound_at(module: Module, trace: Trace, block: Block, definition: gast.AST) -> str:
    line = module.lines.line_of(module.start_of(block) + block.range_of(definition).start) + 1
    if isinstance(definition, (gast.Assign, gast.AugAssign, gast.AnnAssign)):
        return f"Bound on line {line}: {markdown.code(source(block, definition))}"
    return f"Bound on line {line}"


def _is_number(trace: Trace, definition: gast.AST) -> bool:
    if not isinstance(definition, gast.Assign):
        return False
    value = definition.value
    return isinstance(value, gast.Constant) or python_kind(trace.values.get(value) or Tensor()) is not None


def _given(module: Module, trace: Trace, function: gast.AST, name: str) -> Iterator[str]:
    """What the calls in the file give to a parameter."""
    told = [text for call in calls_of(trace, function) if (text := _argument(module, call, name)) is not None]
    lines = list(dict.fromkeys(told))
    if lines:
        more = f" and {len(lines) - _MOST} more" if len(lines) > _MOST else ""
        yield f"A parameter, passed on {', '.join(lines[:_MOST])}{more}"
    else:
        yield "A parameter"


def _argument(module: Module, call: TracedCalled, name: str) -> str | None:
    place = call.place
    given = next((each for each in call.arguments if each.parameter == name), None)
    if place is None or given is None or place.block not in module.starts_of:
        return None
    line = module.lines.line_of(module.start_of(place.block) + place.range.start) + 1
    text = shown(given.value)
    return f"line {line} as {markdown.code(text)}" if text else f"line {line}"


def _carried(module: Module, trace: Trace, block: Block, name: gast.Name, number: gast.AST) -> Iterator[str]:
    """The staged loop or branch that makes a tensor of a Python number: the first one after where it was bound."""
    begin, end = block.range_of(number).end, span_of(block, name).start
    found = [
        (place.range.start, what)
        for place, what, names in _carrying(trace)
        if place.block is block and begin <= place.range.start <= end and name.id in names
    ]
    if found:
        start, what = min(found)
        line = module.lines.line_of(module.start_of(block) + start) + 1
        yield f"A Python number here; the {what} on line {line} carries it through the graph as a tensor"


def _carrying(trace: Trace) -> Iterator[tuple[Place, str, set[str]]]:
    for fact in trace.facts:
        if isinstance(fact, StagedLoop):
            yield fact.place, "loop", {name.symbol for name in fact.names}
        elif isinstance(fact, StagedBranch) and fact.kind == "if":
            yield fact.place, "`if`", {name.symbol for name in fact.names}
