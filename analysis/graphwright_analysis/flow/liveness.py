"""Liveness: which symbols may still be read after a statement before they are bound again.

Whether what is read matters isn't asked.

- Reading `self.x` makes `self.x` and `self` live; binding `self` ends the life of everything under it.
- At the end of a function, the names that it declares global or nonlocal and binds are live; at the end of a
  module or class, all names that it binds.
- A lambda reads its free variables where it stands.
- What a nested function reads from outside is live wherever its definition reaches, called there or not, as in
  AutoGraph.
- What the methods of a class, or a lambda that is assigned read from outside is live wherever the definition
  reaches while its name is live, and everywhere once it has escaped: been returned, stored, passed on, or
  anything else but called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import gast

from graphwright_analysis.flow.activity import activities, closure_symbols
from graphwright_analysis.flow.closures import (
    ReachingClosures,
    declared_outside,
    lambdas_in,
    reaching_closures,
)
from graphwright_analysis.flow.dataflow import Problem, positions, solve
from graphwright_analysis.flow.graph import Graph, Node
from graphwright_analysis.flow.tree import FUNCTIONS, kind_of, walk
from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax.names import Symbol


@immutable(eq=False)
class Liveness:
    """What is live around the statements of one graph; about other statements it knows nothing."""

    graph: Graph
    complete: bool
    _before: list[int]
    _symbols: list[Symbol]

    def live_in(self, statement: gast.AST) -> frozenset[Symbol]:
        """What may be read from the begin of a statement on, simple or compound, before it is bound."""
        return self._union(self.graph.starts_of(statement))

    def live_out(self, statement: gast.AST) -> frozenset[Symbol]:
        """What may be read where control goes on after the whole statement, by whatever way it leaves."""
        return self._union(self.graph.after[statement])

    def _union(self, nodes: Iterable[Node]) -> frozenset[Symbol]:
        bits = 0
        for node in nodes:
            bits |= self._before[node.index]
        return frozenset(self._symbols[position] for position in positions(bits))


def liveness(graph: Graph, live_at_exit: frozenset[Symbol] = frozenset()) -> Liveness:
    """Solve the problem for one graph; `live_at_exit` adds to what is live at its end."""
    of_nodes = activities(graph)
    closures = reaching_closures(graph)
    read = [activity.needs for activity in of_nodes]
    if any(kind_of(node) == "Lambda" for node in walk(*graph.body)):
        read = [_read_by(node) | reads for node, reads in zip(graph.nodes, read, strict=True)]
    numbers = _Numbers()
    for activity, reads in zip(of_nodes, read, strict=True):
        numbers.add(reads)
        numbers.add(activity.writes)
    for closure in closures.closures if closures is not None else ():
        numbers.add(closure.reads)
    numbers.add(live_at_exit)
    generated = [numbers.bits(reads) for reads in read]
    under = numbers.under()
    ended = [_or(under.get(symbol, 0) for symbol in known.replaces) for known in of_nodes]
    at_exit = numbers.bits(live_at_exit | _bound_for_others(graph))
    add_closures = _closure_step(closures, numbers)
    problem: Problem[int] = Problem(
        direction="backward",
        bottom=0,
        join=int.__or__,
        transfer=lambda node, live: add_closures(node.index, generated[node.index] | (live & ~ended[node.index])),
        boundary={graph.exit.index: at_exit, graph.raised.index: at_exit},
    )
    solution = solve(graph, problem)
    return Liveness(graph, solution.complete, solution.before, numbers.symbols)


class _Numbers:
    """Gives each symbol a bit."""

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []
        self.bit_of: dict[Symbol, int] = {}

    def add(self, symbols: Iterable[Symbol]) -> None:
        for symbol in symbols:
            if symbol not in self.bit_of:
                self.bit_of[symbol] = 1 << len(self.symbols)
                self.symbols.append(symbol)

    def bits(self, symbols: Iterable[Symbol]) -> int:
        return _or(self.bit_of.get(symbol, 0) for symbol in symbols)

    def under(self) -> dict[Symbol, int]:
        """For each symbol the bits of itself and of all that start with it."""
        under: dict[Symbol, int] = {}
        for symbol, bit in self.bit_of.items():
            for above in (symbol, *symbol.parents()):
                under[above] = under.get(above, 0) | bit
        return under


def _or(masks: Iterable[int]) -> int:
    bits = 0
    for mask in masks:
        bits |= mask
    return bits


def _read_by(node: Node) -> frozenset[Symbol]:
    """What the lambdas of a node read when they are called right there."""
    return frozenset[Symbol]().union(*(closure_symbols(function) for function in lambdas_in(node)))


def _bound_for_others(graph: Graph) -> frozenset[Symbol]:
    """The symbols bound here that others can see when the graph has ended."""
    bound = {symbol for known in activities(graph) for symbol in known.writes if not symbol.is_composite}
    if kind_of(graph.tree) in ("Module", "ClassDef"):
        return frozenset(bound)
    declared = declared_outside(graph)
    return frozenset(symbol for symbol in bound if symbol.root in declared)


def _closure_step(closures: ReachingClosures | None, numbers: _Numbers) -> Callable[[int, int], int]:
    """What closures that reach a node add to what is live before it."""
    if closures is None:
        return lambda index, live: live
    reads = [numbers.bits(closure.reads) for closure in closures.closures]
    names = [numbers.bits(map(Symbol, closure.names)) for closure in closures.closures]
    functions = sum(1 << i for i, known in enumerate(closures.closures) if isinstance(known.definition, FUNCTIONS))
    named = closures.named
    escaped = [gone | (kept & functions) for gone, kept in zip(closures.escaped, named, strict=True)]

    def add(index: int, live: int) -> int:
        for position in positions(escaped[index]):
            live |= reads[position]
        waiting = list(positions(named[index] & ~escaped[index]))
        # A closure that becomes live may read the name of another.
        while waiting:
            called = [position for position in waiting if live & names[position]]
            if not called:
                break
            for position in called:
                live |= reads[position]
            waiting = [position for position in waiting if position not in called]
        return live

    return add
