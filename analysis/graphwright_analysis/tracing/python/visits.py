"""Calls into other files and installed packages, which may take only so many steps.

They are run for their results and for what begins a graph in them; the files themselves are analyzed on their own.
"""

from __future__ import annotations

from typing import NamedTuple

from graphwright_analysis.tracing.functions import conversion
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import SUPPOSED_VISIT_STEPS, VISIT_STEPS, LimitReached, Run
from graphwright_analysis.tracing.noting import escapes
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import UNKNOWN, Class, Function, Value

from . import calls


class VisitLimit(NamedTuple):
    steps: int
    in_package: bool


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
    if not run.context.is_eager:
        return None
    return VisitLimit(VISIT_STEPS if run.start.at_top else SUPPOSED_VISIT_STEPS, in_package=False)


def visit(run: Run, function: Function, call: Call, limit: VisitLimit) -> Value:
    """Run a function of another file; if it takes too many steps, what it does is unknown."""
    before, visited, steps = run.state.fork(), frozenset(run.seen.visited), run.steps
    run.steps = min(steps, limit.steps)
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
        if not limit.in_package:
            run.seen.shortened.add(_name(function))
        run.seen.opaque += 1
        escapes.forget(run, function, *call.values)
        return UNKNOWN
    finally:
        run.steps, run.withheld = run.steps + withheld, 0


def _name(function: Function) -> str:
    name = conversion.name_of(function)
    return f"{function.owner.node.name}.{name}" if isinstance(function.owner, Class) else name
