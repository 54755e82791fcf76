"""Functions that TensorFlow traces when they are given to it: in a graph, and converted.

Who gives them is in `datasets` and `staged_calls`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from graphwright_analysis.tracing.facts import FunctionMapped
from graphwright_analysis.tracing.facts.constructs import ConstructKind
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.noting import trace_effects
from graphwright_analysis.values.domain import UNKNOWN, Bound, Function, Value

from . import structures


def in_graph(run: Run, function: Value, call: Call) -> Value:
    """Call a function as TensorFlow does when it traces it in a graph of its own, converted."""
    target = function.target if isinstance(function, Bound) else function
    if isinstance(target, Function):
        run.note(FunctionMapped(Place(target.block, target.block.range_of(target.node))))
    with run.inside(run.construct(call.place, ConstructKind.MAPPED_FUNCTION)):
        return converted(run, function, call)


def converted(run: Run, function: Value, call: Call) -> Value:
    """Call a function with its control flow converted, whatever calls it."""
    graph = run.context.graph
    if not graph:
        run.state.outside = dict(run.state.cells)
    with run.within(graph=True, unbound_before_loop=frozenset()):
        converting = replace(call.frame, unconverted=conversion.switched_off(run, call.frame))
        try:
            with trace_effects.recorded(run, UNKNOWN, call.positional, {}):
                own = call.map_arguments(partial(structures.repacked, run)).from_frame(converting)
                return run.interpreter.call_value(run, function, own)
        finally:
            if not graph:
                run.state.outside = None
