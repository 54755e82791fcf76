"""Closures: where the functions that are defined inside a graph can still be called.

Only liveness needs this; what the closures do when they are called isn't followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import gast

from graphwright_analysis.flow.activity import activities, closure_symbols
from graphwright_analysis.flow.dataflow import Problem, solve
from graphwright_analysis.flow.graph import Graph, Node
from graphwright_analysis.flow.tree import FUNCTIONS, children, kind_of, nodes_in
from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax.names import Symbol


@immutable(eq=False)
class Closure:
    """A function, lambda or class, the names that its statement binds to it, and what it reads from outside.

    Without names it has escaped as soon as it is defined.
    """

    definition: gast.AST
    names: frozenset[str]
    reads: frozenset[Symbol]


@immutable(eq=False)
class ReachingClosures:
    """For each node by its index, as bits at the positions of `closures`: which are still bound to one of
    their names when the node begins, and which may have escaped by then."""

    closures: tuple[Closure, ...]
    named: list[int]
    escaped: list[int]


def reaching_closures(graph: Graph) -> ReachingClosures | None:
    """Where closures reach; None if nothing in the graph closes over anything."""
    made: dict[int, list[Closure]] = {}
    for node in graph.nodes:
        found = [closure for closure in _closures_made_by(node) if closure.reads]
        if found:
            made[node.index] = found
    if not made:
        return None
    closures = tuple(closure for found in made.values() for closure in found)
    solution = solve(graph, _problem(graph, closures, made))
    low = (1 << len(closures)) - 1
    return ReachingClosures(
        closures,
        [state & low for state in solution.before],
        [state >> len(closures) for state in solution.before],
    )


def lambdas_in(node: Node) -> list[gast.AST]:
    """The outermost lambdas of a node, which run, as far as is known, where they stand."""
    if node.statement is None or node.kind in ("entry", "unbind"):
        return []
    return [part for part in _parts_run_by(node) if kind_of(part) == "Lambda"]


def declared_outside(graph: Graph) -> frozenset[str]:
    """The names that statements of a graph declare global or nonlocal."""
    return frozenset(
        name
        for node in graph.nodes
        if kind_of(node.statement) in ("Global", "Nonlocal")
        for name in getattr(node.statement, "names", ())
    )


def _problem(graph: Graph, closures: tuple[Closure, ...], made: dict[int, list[Closure]]) -> Problem[int]:
    position = {closure: number for number, closure in enumerate(closures)}
    count = len(closures)
    declared = declared_outside(graph)
    transfers: dict[int, Callable[[int], int]] = {}
    for node, activity in zip(graph.nodes, activities(graph), strict=True):
        bound = {symbol.root for symbol in activity.replaces if not symbol.is_composite}
        let_out = _names_let_out(node)
        leaving = ending = making = 0
        for closure in closures:
            bit = 1 << position[closure]
            if closure.names & (let_out.read if kind_of(closure.definition) == "ClassDef" else let_out.kept):
                leaving |= bit
            if len(closure.names) == 1 and closure.names <= bound:
                ending |= bit
        for closure in made.get(node.index, ()):
            escapes = not closure.names or closure.names & declared
            making |= (1 << count if escapes else 1) << position[closure]
        if leaving or ending or making:
            transfers[node.index] = _transfer(count, leaving, ending, making)
    return Problem(
        direction="forward",
        bottom=0,
        join=int.__or__,
        transfer=lambda node, state: transfers[node.index](state) if node.index in transfers else state,
        boundary={},
    )


def _transfer(count: int, leaving: int, ending: int, making: int) -> Callable[[int], int]:
    return lambda state: ((state | (state & leaving) << count) & ~ending) | making


def _closures_made_by(node: Node) -> Iterable[Closure]:
    statement: Any = node.statement
    if node.kind != "statement":
        return
    kind = kind_of(statement)
    if isinstance(statement, (*FUNCTIONS, gast.ClassDef)):
        names = frozenset[str]() if nodes_in(statement.decorator_list) else frozenset({statement.name})
        yield Closure(statement, names, closure_symbols(statement))
    elif kind in ("Assign", "AnnAssign"):
        names = _target_names(statement.targets if kind == "Assign" else [statement.target])
        for function in _lambdas_in_value(statement.value):
            yield Closure(function, names, closure_symbols(function))


def _target_names(targets: Iterable[gast.AST]) -> frozenset[str]:
    """The names among targets; none at all if there is anything else, where a value might be kept."""
    names: set[str] = set()
    stack = list(targets)
    while stack:
        target: Any = stack.pop()
        if kind_of(target) == "Name":
            names.add(target.id)
        elif kind_of(target) in ("Tuple", "List", "Starred"):
            stack.extend(children(target))
        else:
            return frozenset()
    return frozenset(names)


def _lambdas_in_value(value: gast.AST | None) -> list[gast.AST]:
    """The lambdas that may be what an expression gives, or be inside a display that it gives."""
    found: list[gast.AST] = []
    stack = nodes_in([value])
    while stack:
        current = stack.pop()
        if kind_of(current) == "Lambda":
            found.append(current)
        elif kind_of(current) in _PASSING_ON:
            stack.extend(children(current))
    return found


_PASSING_ON = frozenset({"IfExp", "BoolOp", "Tuple", "List", "Dict", "Set", "Starred", "NamedExpr"})


@immutable
class _LetOut:
    """The names that a node reads, and those that it reads for more than to call them."""

    read: frozenset[str]
    kept: frozenset[str]


def _names_let_out(node: Node) -> _LetOut:
    if node.statement is None or node.kind in ("entry", "unbind"):
        return _LetOut(frozenset(), frozenset())
    read: set[str] = set()
    kept: set[str] = set()
    called: set[gast.AST] = set()
    stack = _roots(node)
    while stack:
        current: Any = stack.pop()
        kind = kind_of(current)
        if kind == "Name" and kind_of(current.ctx) == "Load":
            read.add(current.id)
            if current not in called:
                kept.add(current.id)
        elif kind == "Call":
            called.add(current.func)
        stack.extend(children(current))
    return _LetOut(frozenset(read), frozenset(kept))


def _roots(node: Node) -> list[gast.AST]:
    """What a node runs, without the bodies of compound statements."""
    statement: Any = node.statement
    if node.kind == "handler":
        return nodes_in([statement.type])
    if node.kind == "case":
        return nodes_in([statement.pattern, statement.guard])
    return nodes_in([statement])


def _parts_run_by(node: Node) -> Iterable[gast.AST]:
    """The nodes of the tree under a graph node, without what is inside functions and lambdas."""
    stack = _roots(node)
    while stack:
        current = stack.pop()
        yield current
        if isinstance(current, (*FUNCTIONS, gast.Lambda)):
            known: Any = current
            arguments = known.args
            stack.extend(nodes_in(arguments.defaults) + nodes_in(arguments.kw_defaults))
            stack.extend(nodes_in(getattr(known, "decorator_list", None)))
        else:
            stack.extend(children(current))
