"""Calls of functions of installed packages, which are run for what they give and may take but so many steps."""

from __future__ import annotations

import gast

from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import VISIT_STEPS, LimitReached, Run
from graphwright_analysis.tracing.noting import escapes
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import UNKNOWN, Function, Value

from . import calls


def is_installed(run: Run, function: Function) -> bool:
    """Whether a function is a package's that the code which is run isn't part of."""
    around, links = run.frame(function.frame), run.surroundings.links
    if around is None or not links.is_installed(name_lookup.module_frame(around).file):
        return False
    return not links.is_installed(run.flow.memory.frame.file)


def visit(
    run: Run, frame: Frame, function: Function, positional: list[Value], named: calls.Named, node: gast.AST | None
) -> Value:
    """Run a function of a package, whose own troubles are to cost the project's code nothing."""
    before, steps = run.state.fork(), run.steps
    run.steps = min(steps, VISIT_STEPS)
    allowed = run.steps
    try:
        with run.within(visiting=True):
            return calls.invoke(run, frame, function, positional, named, node)
    except LimitReached:
        if allowed == steps:
            raise
        run.state, run.steps = before, 0
        run.seen.opaque += 1
        escapes.forget(run, function, *positional, *named.values())
        return UNKNOWN
    finally:
        run.steps += steps - allowed
