"""`try` statements: what runs until something is raised, and what the handlers make of it."""

from __future__ import annotations

import gast

from graphwright_analysis.imports import Import, leads_outside
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import Outcome, State, joined
from graphwright_analysis.tracing.noting import leaving, python_use, refused_operations, storing
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import UNKNOWN

from . import awaited_errors, statements


def try_(run: Run, frame: Frame, node: gast.Try) -> Outcome:
    """Run a `try`, and what may follow it."""
    if _surely_imports(run, frame, node):
        outcome = statements.execute(run, frame, node.body)
        outcome.then(statements.execute(run, frame, [*node.orelse, *node.finalbody]))
        return outcome
    before, seen = run.state.fork(), len(run.seen.facts)
    awaited_errors.note_handlers(run, frame, node)
    around = run.context
    with run.within(
        attempts=around.attempts + awaited_errors.catches_tracing(run, frame, node),
        guarded=around.guarded + any(map(refused_operations.catches_refusal, node.handlers)),
        handlers=(*around.handlers, *leaving.handlers_of(run, frame, node)),
    ):
        outcome = _attempted(run, frame, node)
    python_use.forgive_caught(run, frame, node, seen)
    if outcome.normal is not None and node.orelse:
        outcome.then(statements.execute(run, frame, node.orelse))
    ends = [outcome.normal] if outcome.normal is not None else []
    # A handler may start anywhere between the first and the last statement of the body.
    start = joined([before, *ends, *(state for state, _ in outcome.returns)]) or before
    for handler in node.handlers:
        run.state = start.fork()
        if handler.name is not None:
            storing.bind_name(run, frame, handler.name.id, UNKNOWN, handler)
        noted = len(run.seen.facts)
        with run.within(attempts=around.attempts + 1):
            handled = statements.execute(run, frame, handler.body)
        if run.context.graph:
            python_use.forgive_unreached(run, noted)
        outcome.absorb(handled)
        # While tracing, handlers hardly ever run: they count as an end only where the body has none.
        if handled.normal is not None and (not ends or not run.context.graph):
            ends.append(handled.normal)
    outcome.normal = joined(ends)
    if node.finalbody:
        _end(run, frame, node, outcome, start)
    return outcome


def _end(run: Run, frame: Frame, node: gast.Try, outcome: Outcome, start: State) -> None:
    """The `finally` clause behind all ways out."""
    outcome.returns = [(_finally(run, frame, node, state), value) for state, value in outcome.returns]
    run.state = outcome.normal or start.fork()
    final = statements.execute(run, frame, node.finalbody)
    final_ends = final.normal is None
    outcome.absorb(final)
    outcome.normal = None if final_ends or outcome.normal is None else final.normal


def _surely_imports(run: Run, frame: Frame, node: gast.Try) -> bool:
    """Whether it tries to import what is there: files of the project, and what this is about."""
    imports = [each for each in node.body if isinstance(each, (gast.Import, gast.ImportFrom))]
    flags = (each for each in node.body if isinstance(each, gast.Assign) and isinstance(each.value, gast.Constant))
    if not imports or len(imports) + sum(1 for _ in flags) < len(node.body):
        return False
    file = name_lookup.module_frame(frame).file
    imports = [
        Import(alias.name, 0, None)
        if isinstance(each, gast.Import)
        else Import(each.module or "", each.level or 0, alias.name)
        for each in imports
        for alias in each.names
    ]
    return all(leads_outside(one) or run.destination_in_project(file, one) is not None for one in imports)


def _attempted(run: Run, frame: Frame, node: gast.Try) -> Outcome:
    """Where handlers let the program go on, what stands behind the first statement may be left out."""
    if not node.handlers:
        return statements.execute(run, frame, node.body)
    first = 1 if isinstance(node.body[0], (gast.Expr, gast.Assign)) else 0
    outcome = statements.execute(run, frame, node.body[:first])
    with run.within(doubts=run.context.doubts + 1):
        outcome.then(statements.execute(run, frame, node.body[first:]))
    return outcome


def _finally(run: Run, frame: Frame, node: gast.Try, state: State) -> State:
    """The state of a `return` once the `finally` clause has run."""
    run.state = state.fork()
    return statements.execute(run, frame, node.finalbody).normal or state
