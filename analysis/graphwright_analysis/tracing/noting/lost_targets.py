"""Notes loop variables for which AutoGraph loses what an `if` or a loop in the body assigns to them.

It makes functions of these, which give back what is read afterwards. To its liveness, an iteration ends with the next
item in the variable, and so does the last one. What is assigned to other names isn't judged here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import gast

from graphwright_analysis.flow.activity import total_activity
from graphwright_analysis.flow.tree import FUNCTIONS
from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing.facts import TargetLost
from graphwright_analysis.tracing.facts.decisions import GRAPH
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import conditions, name_lookup

from . import leaving

Construct = gast.If | gast.For | gast.While


def note(run: Run, frame: Frame, loop: gast.For) -> None:
    """Note what is lost of the variables of a loop that has been run."""
    if not (run.context.graph and frame.converted) or run.context.by_graphwright:
        return
    written = run.flow.activity_in(loop).writes
    names = [part.id for part in gast.walk(loop.target) if isinstance(part, gast.Name) and Symbol(part.id) in written]
    lost = [(name, found) for name in names if (found := next(_lost(run, loop.body, name), None)) is not None]
    if not lost:
        return
    function = name_lookup.frame_function(frame)
    read = run.flow.liveness_of(function).live_out(loop)
    for name, (construct, assigned) in lost:
        if Symbol(name) in read and not _is_shared(frame, function, name):
            target, asked = place_of(frame, loop.target), place_of(frame, _asked(construct))
            run.note(TargetLost(place_of(frame, assigned), name, target, asked))


def _lost(run: Run, statements: Sequence[gast.stmt], name: str) -> Iterator[tuple[Construct, gast.Name]]:
    """The assignments to a name that nothing in the iteration reads afterwards, in what becomes a function."""
    for at, statement in enumerate(statements):
        rest = statements[at + 1 :]
        if isinstance(statement, gast.With):
            found = _lost(run, statement.body, name)
        elif isinstance(statement, Construct):
            found = _assigned_in(run, statement, name)
        else:
            continue
        is_read = _reads(rest, name)
        if not is_read:
            yield from found
        if isinstance(statement, gast.If) and _jumps(statement) and (_is_staged(run, statement) or not is_read):
            # What follows becomes another `if`.
            yield from ((statement, assigned) for assigned in _assignments(rest, name))


def _assigned_in(run: Run, construct: Construct, name: str) -> Iterator[tuple[Construct, gast.Name]]:
    activity = run.flow.activity_in(construct)
    if Symbol(name) not in activity.writes:
        return
    if isinstance(construct, gast.If):
        # What it reads is known to the function, though it isn't given back: Python's own `if` still sets it.
        is_carried = Symbol(name) in activity.reads and not _is_staged(run, construct)
    else:
        is_carried = Symbol(name) in activity.reads or _reads([_asked(construct)], name)
    if not is_carried:
        yield from ((construct, assigned) for assigned in _assignments(_visited(run, construct), name))


def _asked(construct: Construct) -> gast.expr:
    return construct.iter if isinstance(construct, gast.For) else construct.test


def _reads(nodes: Sequence[gast.AST], name: str) -> bool:
    return Symbol(name) in total_activity(nodes).reads


def _assignments(statements: Iterable[gast.AST], name: str) -> Iterator[gast.Name]:
    for statement in statements:
        for part in gast.walk(statement):
            if isinstance(part, gast.Name) and part.id == name and isinstance(part.ctx, gast.Store):
                yield part


def _jumps(statement: gast.If) -> bool:
    """Whether an `if` may leave the iteration, so that AutoGraph puts what follows under a condition."""
    return any(next(leaving.written([statement], kind), None) for kind in (gast.Break, gast.Continue, gast.Return))


def _is_staged(run: Run, construct: Construct) -> bool:
    return any(decision.verdict == GRAPH for decision in run.seen.decided.get(construct) or ())


def _visited(run: Run, construct: Construct) -> Iterator[gast.stmt]:
    """The statements of a construct that a visit has come to, as far as Python has decided."""
    for decision in run.seen.decided.get(construct) or ():
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
