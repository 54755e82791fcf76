"""Notes loop variables for which AutoGraph loses what an `if` or a loop in the body assigns to them.

It makes functions of these, which give back what is read afterwards. To its liveness, an iteration ends with the next
item in the variable, and so does the last one. What is assigned to other names isn't judged here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from graphwright_analysis.flow.activity import total_activity
from graphwright_analysis.flow.tree import FUNCTIONS
from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing.facts import TargetLost
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import conditions, name_lookup

Construct = gast.If | gast.For | gast.While


def note(run: Run, frame: Frame, loop: gast.For) -> None:
    """Note what is lost of the variables of a loop that has been run."""
    if not (run.context.graph and frame.converted) or run.context.by_graphwright:
        return
    names = [part.id for part in gast.walk(loop.target) if isinstance(part, gast.Name)]
    lost = [(name, found) for name in names if (found := next(_lost(run, loop.body, name), None)) is not None]
    if not lost:
        return
    function = name_lookup.frame_function(frame)
    read = run.flow.liveness_of(function).live_out(loop)
    for name, (construct, assigned) in lost:
        if Symbol(name) in read and not _is_shared(frame, function, name):
            header = construct.iter if isinstance(construct, gast.For) else construct.test
            run.note(TargetLost(place_of(frame, assigned), name, place_of(frame, loop.target), place_of(frame, header)))


def _lost(run: Run, statements: Sequence[gast.stmt], name: str) -> Iterator[tuple[Construct, gast.Name]]:
    """The constructs that assign to a name which nothing in the iteration reads afterwards."""
    for at, statement in enumerate(statements):
        inside: Iterator[tuple[Construct, gast.Name]] = iter(())
        if isinstance(statement, gast.With):
            inside = _lost(run, statement.body, name)
        elif isinstance(statement, Construct):
            inside = _assigned_in(run, statement, name)
        found = next(inside, None)
        if found is not None and Symbol(name) not in total_activity(statements[at + 1 :]).reads:
            yield found


def _assigned_in(run: Run, construct: Construct, name: str) -> Iterator[tuple[Construct, gast.Name]]:
    activity = run.flow.activity_in(construct)
    if Symbol(name) not in activity.writes:
        return
    if not isinstance(construct, gast.If):
        test = construct.test if isinstance(construct, gast.While) else construct.iter
        if Symbol(name) in activity.reads | total_activity([test]).reads:
            return  # It is carried from iteration to iteration.
    for part in _taken(run, construct):
        for each in gast.walk(part):
            if isinstance(each, gast.Name) and each.id == name and isinstance(each.ctx, gast.Store):
                yield construct, each


def _taken(run: Run, construct: Construct) -> Iterator[gast.stmt]:
    """The statements of a construct that a visit has come to, as far as Python has decided."""
    found = run.seen.decided.get(construct)
    for decision in found or ():
        holds = conditions.truth(decision.value) if isinstance(construct, gast.If) else None
        if holds is not False:
            yield from construct.body
        if isinstance(construct, gast.If) and holds is not True:
            yield from construct.orelse


def _is_shared(frame: Frame, function: gast.AST, name: str) -> bool:
    """Whether other functions may read the name: it is live everywhere then."""
    if name in frame.scope.nonlocals or name in frame.scope.globals:
        return True
    inner = (part for part in gast.walk(function) if isinstance(part, FUNCTIONS) and part is not function)
    return any(isinstance(part, gast.Name) and part.id == name for each in inner for part in gast.walk(each))
