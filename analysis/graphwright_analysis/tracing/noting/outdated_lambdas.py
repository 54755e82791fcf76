"""Notes lambdas that don't see what a name was bound to after them.

AutoGraph makes a function of the body of every `if` and loop, staged or not. A name that is bound there and isn't
read later, as far as AutoGraph sees, is a local one of that function; what an earlier lambda reads it doesn't see.
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from graphwright_analysis.flow import build_cfg, liveness
from graphwright_analysis.syntax.names import Symbol
from graphwright_analysis.tracing.facts import LambdaOutdated
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.reading import name_lookup
from graphwright_analysis.values.domain import Function

Compound = gast.If | gast.For | gast.While


def note_outdated(run: Run, function: Function) -> None:
    """Note the names that a lambda, called now, reads as they were before."""
    around = run.frame(function.frame)
    if not run.context.graph or around is None:
        return
    for name in sorted(run.flow.scopes_of(function.block, function.node).free):
        owner = name_lookup.enclosing(around, name)
        if owner is None or owner.scope.kind != "function" or not (owner.converted and owner.in_graph):
            continue
        written = run.state.place((owner.id, name))
        if written is None or written.block is not owner.block or function.block is not owner.block:
            continue
        statement = _hidden_in(run, owner, name, written, function.node)
        if statement is not None:
            header = statement.iter if isinstance(statement, gast.For) else statement.test
            place = place_of(owner, function.node)
            run.note(LambdaOutdated(name, place_of(owner, header), written, place))


def _hidden_in(run: Run, owner: Frame, name: str, written: Place, function: gast.AST) -> Compound | None:
    """The statement whose body keeps a binding of the name to itself."""
    made = owner.block.range_of(function).start
    if name in owner.scope.nonlocals | owner.scope.globals:
        return None
    for statement in _compounds(owner.node):
        span = owner.block.range_of(statement)
        if not span.start <= written.range.start < span.end:
            continue
        if made >= span.start:
            # Made in the same loop, or after the binding.
            return None
        if not _is_seen_outside(run, owner, statement, name, made):
            return statement
    return None


def _compounds(node: gast.AST) -> list[Compound]:
    found: list[Compound] = []
    pending = [*gast.iter_child_nodes(node)]
    while pending:
        child = pending.pop(0)
        if isinstance(child, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)):
            continue
        if isinstance(child, Compound):
            found.append(child)
        pending += gast.iter_child_nodes(child)
    return found


def _is_seen_outside(run: Run, owner: Frame, statement: Compound, name: str, made: int) -> bool:
    """Whether AutoGraph takes the name out of the statement: it is live there, lambdas made earlier left aside."""
    twins: dict[int, Any] = {}
    twin = copy.deepcopy(owner.node, twins)
    for child in gast.walk(owner.node):
        if isinstance(child, gast.Lambda) and owner.block.range_of(child).start <= made:
            twins[id(child)].body = gast.Constant(None, None)
    live = liveness(build_cfg(twin))
    inside = twins[id(statement)]
    around = live.live_in(inside) | live.live_out(inside) | live.live_in(inside.body[0])
    if isinstance(inside, gast.If):
        around = live.live_in(inside) | live.live_out(inside)
    return Symbol(name) in around
