"""Runs a start within its steps, and then each function that it created for a graph and didn't call.

If the steps don't suffice, the start is cut: what it created is traced with what was known at that point.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

import gast

from graphwright_analysis.flow.tree import walk
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.functions.decorators import function_behind
from graphwright_analysis.tracing.machine.context import Frame, Sites
from graphwright_analysis.tracing.machine.imports import may_begin_a_graph
from graphwright_analysis.tracing.machine.run import (
    FEWEST_STEPS,
    HURRIED_STEPS,
    STEPS,
    SUPPOSED_STEPS,
    LimitReached,
    Run,
)
from graphwright_analysis.tracing.machine.starts import CutPoint
from graphwright_analysis.values.domain import UNDEFINED, UNKNOWN

from . import uncalled_functions

log = logging.getLogger(__name__)


def bounded(run: Run, body: Callable[[], object], most: int | None = None) -> bool:
    """Run something; return False if it was cut: too many steps, or too deep. The state is then as of that point."""
    before, around = run.state.fork(), run.context
    run.steps = allowed = _steps_of(run) if most is None else min(most, _steps_of(run))
    complete = True
    try:
        body()
    except (LimitReached, RecursionError) as limit:
        log.info("a trace stopped early (%s); what comes after is unknown", type(limit).__name__)
        _cut(run, limit)
        run.context, run.statement, complete = around, None, False
    except Exception:
        log.exception("tracing failed; what comes after is unknown")
        run.reset(before)
        run.context, complete = around, False
    run.start.steps += allowed - run.steps
    run.steps = allowed
    run.start.complete &= complete
    return complete


def trace_the_rest(run: Run) -> None:
    """Trace functions created for a graph and not called, in as many steps as a start has, with a minimum for each."""
    left = _steps_of(run)
    for body in uncalled_functions.left(run):
        before, spent = run.state, run.start.steps
        bounded(run, body, max(left, FEWEST_STEPS))
        left -= run.start.steps - spent
        run.state = before


def forget_unfinished(run: Run) -> None:
    """After a cut, forget the names of active functions that the unreached code may bind."""
    for frame in _frames(run):
        assert isinstance(frame.node, (gast.FunctionDef, gast.Lambda))
        body = frame.node.body if isinstance(frame.node, gast.FunctionDef) else ()
        forget_names(run, frame, frame.scope.bound, body, frame.scope.parameters)


def forget_names(
    run: Run, frame: Frame, names: Iterable[str], body: Iterable[gast.AST], parameters: Iterable[str] = ()
) -> None:
    """Forget the names that a body may bind later: those not bound yet, or bound in a loop or more than once."""
    again = _bound_again(body, parameters)
    for name in names:
        if name in again or run.state.value(frame.id, name) is UNDEFINED:
            run.state.set(frame.id, name, UNKNOWN)


def _steps_of(run: Run) -> int:
    """The number of steps for the current start."""
    start = run.start
    if run.hurried:
        return HURRIED_STEPS
    is_function = isinstance(start.node, gast.FunctionDef) and "." not in start.name
    begins = is_function and start.block is not None and may_begin_a_graph(start.block, run.flow)
    return STEPS if begins or start.is_surely_run else SUPPOSED_STEPS


def _cut(run: Run, limit: LimitReached | RecursionError) -> None:
    """Record where a start was cut. Functions in a graph that didn't finish still have to run."""
    start, under_way = run.start, limit.context if isinstance(limit, LimitReached) else run.context
    unfinished = {node for node in under_way.calls if node in start.in_graph and node is not start.node}
    unfinished -= start.finished
    start.visited -= unfinished
    start.in_graph -= unfinished
    if start.cut is None:
        start.cut = CutPoint(run.hurried, _reached(run, under_way.sites))


def _reached(run: Run, sites: Sites) -> Place | None:
    """The call or statement in the start's own code that was running, if known."""
    start, node = run.start, sites[0][1] if sites else run.statement
    if start.block is None or node is None:
        return None
    own = start.block.statements if start.node is None else (start.node,)
    return Place(start.block, start.block.range_of(node)) if node in {*walk(*own)} else None


def _frames(run: Run) -> Iterable[Frame]:
    """The frames around functions that were created and not called."""
    found = dict[int, Frame]()
    for each in run.start.handed_over:
        function = function_behind(each.value)
        frame = run.frame(each.frame.id if function is None else function.frame)
        while frame is not None and frame.id not in found:
            if isinstance(frame.node, (gast.FunctionDef, gast.Lambda)):
                found[frame.id] = frame
            frame = frame.parent
    return found.values()


def _bound_again(body: Iterable[gast.AST], parameters: Iterable[str]) -> set[str]:
    """The names that code binds in a loop or more than once; functions inside have their own names."""
    bound, again = set(parameters), set[str]()
    pending = [(node, False) for node in body]
    while pending:
        node, in_loop = pending.pop()
        if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            names = {node.name}
        elif isinstance(node, gast.Name):
            names = set[str]() if isinstance(node.ctx, gast.Load) else {node.id}
        else:
            loop = in_loop or isinstance(node, (gast.For, gast.AsyncFor, gast.While))
            pending += [(child, loop) for child in gast.iter_child_nodes(node)]
            continue
        again |= names if in_loop else names & bound
        bound |= names
    return again
