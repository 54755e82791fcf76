"""Functions that TensorFlow traces when they are given to it: in a graph, and converted.

Who gives them is in `datasets` and `staged_calls`.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from graphwright_analysis.tracing.facts import FunctionMapped
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.noting import trace_effects
from graphwright_analysis.values.domain import UNKNOWN, Bound, Function, Value

from . import structures


def in_graph(run: Run, frame: Frame, function: Value, arguments: list[Value], node: gast.AST | None) -> Value:
    """Call a function as TensorFlow does when it traces it in a graph of its own, converted."""
    target = function.target if isinstance(function, Bound) else function
    if isinstance(target, Function):
        run.note(FunctionMapped(Place(target.block, target.block.range_of(target.node))))
    with run.inside(run.construct(place_of(frame, node or frame.node), ConstructKind.MAPPED_FUNCTION)):
        return converted(run, frame, function, arguments, node)


def converted(run: Run, frame: Frame, function: Value, arguments: list[Value], node: gast.AST | None) -> Value:
    """Call a function with its control flow converted, whatever calls it."""
    graph = run.context.graph
    if not graph:
        run.state.outside = dict(run.state.cells)
    with run.within(graph=True, unbound_before_loop=frozenset()):
        converting = replace(frame, unconverted=conversion.switched_off(run, frame))
        try:
            with trace_effects.recorded(run, UNKNOWN, arguments, {}):
                own = [structures.repacked(run, value) for value in arguments]
                return run.interpreter.call_value(run, function, Call(converting, own, node=node))
        finally:
            if not graph:
                run.state.outside = None
