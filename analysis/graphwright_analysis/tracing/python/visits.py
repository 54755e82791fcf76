"""Calls into other files and installed packages, which may take only so many steps.

They are run for their results and for what begins a graph in them; the files themselves are analyzed on their own.
"""

from __future__ import annotations

from typing import NamedTuple

from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.imports import may_begin_a_graph
from graphwright_analysis.tracing.machine.run import (
    GRAPH_VISITS_STEPS,
    SUPPOSED_VISIT_STEPS,
    SUPPOSED_VISITS_STEPS,
    VISIT_STEPS,
    LimitReached,
    Run,
)
from graphwright_analysis.tracing.noting import escapes
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import UNKNOWN, Class, Function, Value

from . import calls


class VisitLimit(NamedTuple):
    steps: int
    in_package: bool = False


def limit_of(run: Run, function: Function) -> VisitLimit | None:
    """The limit for a call of a function; None if it may take all the steps that the start has left."""
    around = run.frame(function.frame)
    if run.context.visiting or around is None:
        return None
    file, own = name_lookup.module_frame(around).file, run.flow.memory.frame.file
    if file == own:
        return None
    is_installed = run.surroundings.links.is_installed
    if is_installed(file) and not is_installed(own):
        return VisitLimit(VISIT_STEPS, in_package=True)
    return VisitLimit(_steps_for(run, function)) if run.context.is_eager else None


def _steps_for(run: Run, function: Function) -> int:
    """The number of steps for a call of a function of another file; 0 if it isn't followed."""
    limit = VISIT_STEPS if run.start.at_top else SUPPOSED_VISIT_STEPS
    if not _is_direct(run):
        return limit
    if function.node in run.start.unfinished_visits:
        return 0
    if run.start.at_top:
        return limit
    together = GRAPH_VISITS_STEPS if may_begin_a_graph(function.block, run.flow) else SUPPOSED_VISITS_STEPS
    return max(0, min(limit, together - run.start.visited_steps))


def _is_direct(run: Run) -> bool:
    """True in the start's own code: calls in other calls are remembered, so they can't depend on what came before."""
    return len(run.context.calls) == (0 if run.start.at_top else 1)


def visit(run: Run, function: Function, call: Call, limit: VisitLimit) -> Value:
    """Run a function of another file; if it takes too many steps, what it does is unknown."""
    if not limit.steps:
        return _unfollowed(run, function, call, limit)
    before, visited, steps = run.state.fork(), frozenset(run.seen.visited), run.steps
    run.steps = allowed = min(steps, limit.steps)
    withheld = steps - run.steps
    run.withheld = 0 if limit.in_package else withheld
    try:
        with run.within(visiting=True):
            return calls.invoke(run, function, call)
    except LimitReached as reached:
        if run.steps + withheld < 0:
            raise
        run.state = before
        # Whoever analyzes their own files is to know that these weren't followed to the end.
        run.seen.visited -= {*reached.context.calls[len(run.context.calls) :]} - visited
        if _is_direct(run):
            run.start.unfinished_visits.add(function.node)
        return _unfollowed(run, function, call, limit)
    finally:
        if not (limit.in_package or run.start.at_top) and _is_direct(run):
            run.start.visited_steps += allowed - run.steps
        run.steps, run.withheld = run.steps + withheld, 0


def _unfollowed(run: Run, function: Function, call: Call, limit: VisitLimit) -> Value:
    if not limit.in_package:
        run.seen.shortened.add(_name(function))
    run.seen.opaque += 1
    escapes.forget(run, function, *call.values)
    return UNKNOWN


def _name(function: Function) -> str:
    name = conversion.name_of(function)
    return f"{function.owner.node.name}.{name}" if isinstance(function.owner, Class) else name
