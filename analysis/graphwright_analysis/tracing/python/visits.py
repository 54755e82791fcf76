"""Calls into other files and installed packages, which may take only so many steps.

They are run for their results and for what begins a graph in them; the files themselves are analyzed on their own.
"""

from __future__ import annotations

from typing import NamedTuple

from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.imports import may_begin_a_graph
from graphwright_analysis.tracing.machine.run import (
    GRAPH_VISITS_STEPS,
    SUPPOSED_VISIT_STEPS,
    SUPPOSED_VISITS_STEPS,
    VISIT_STEPS,
    LimitReached,
    Run,
)
from graphwright_analysis.tracing.machine.surroundings import Surroundings
from graphwright_analysis.tracing.noting import escapes
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import UNKNOWN, Class, Function, Value

from . import calls


class VisitLimit(NamedTuple):
    steps: int
    in_package: bool = False


def limit_of(run: Run, function: Function, caller: Frame) -> VisitLimit | None:
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
    if not run.context.is_eager:
        return None
    return VisitLimit(_steps_at_top(run, function) if run.start.at_top else _supposed_steps(run, function, caller))


def _steps_at_top(run: Run, function: Function) -> int:
    """The number of steps for a call of a function of another file by code that runs; 0 if it isn't followed."""
    return 0 if _is_direct(run) and function.node in run.start.unfinished_visits else VISIT_STEPS


def _supposed_steps(run: Run, function: Function, caller: Frame) -> int:
    """The same for a call by code that no visible code runs."""
    if not _may_matter(run, function, caller):
        return 0
    if not _is_direct(run):
        return SUPPOSED_VISIT_STEPS
    if function.node in run.start.unfinished_visits:
        return 0
    together = GRAPH_VISITS_STEPS if may_begin_a_graph(function.block, run.flow) else SUPPOSED_VISITS_STEPS
    steps = min(SUPPOSED_VISIT_STEPS, together - run.start.visited_steps)
    return steps if steps > run.surroundings.ask(Surroundings.steps_that_did_not_suffice, function.node) else 0


def _may_matter(run: Run, function: Function, caller: Frame) -> bool:
    """True for tiny functions, and if a graph may begin in what is called or in what calls; the heads of their classes
    count."""
    if run.flow.shape_of(function.block, function.node).statements < calls.REMEMBERED:
        return True
    outer = _outermost(caller)
    heads = [owner.block for owner in (function.owner, outer.owner) if isinstance(owner, Class)]
    return any(may_begin_a_graph(block, run.flow) for block in (function.block, outer.block, *heads))


def _outermost(frame: Frame) -> Frame:
    """The frame of the method or function that contains the function of a frame."""
    while not isinstance(frame.owner, Class) and frame.parent is not None and frame.parent.in_function:
        frame = frame.parent
    return frame


def _is_direct(run: Run) -> bool:
    """True in the start's own code, and for the call that it is: calls in other calls are remembered, so they can't
    depend on what came before."""
    return len(run.context.calls) <= (0 if run.start.at_top else 1)


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
            run.start.unfinished_visits[function.node] = limit.steps
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
