"""Reaching definitions: which statements may have given a symbol the value it has at a statement.

The values themselves, and what functions that are called do, aren't followed.

Only names that the graph's own statements bind can be undefined here: names from outside, names declared
global or nonlocal and, in a module or class, builtins can't.
A statement that defines a function which binds a name of ours by `nonlocal` may define that name: it adds
to the name's definitions without replacing any.
So does `from m import *` for all names.
Writing `self` ends the definitions of `self.x` and begins none.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import gast

from graphwright_analysis.flow.activity import activities, closure_writes
from graphwright_analysis.flow.closures import declared_outside
from graphwright_analysis.flow.dataflow import Problem, Solution, positions, solve
from graphwright_analysis.flow.graph import Graph, Node
from graphwright_analysis.flow.tree import FUNCTIONS, kind_of, parameters_of
from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax.names import Symbol


@immutable(eq=False)
class Reaching:
    """What reaches the statements of one graph; statements that it doesn't have or reach know nothing."""

    graph: Graph
    complete: bool
    _solution: Solution[int]
    _definitions: _Definitions

    def definitions_at(self, statement: gast.AST, symbol: Symbol) -> frozenset[gast.AST]:
        """What may have bound `symbol` last when `statement` begins.

        Simple statements, the binding parts of compound ones (targets, with items, handlers, cases) and,
        for parameters, their Name nodes.
        A `while` begins once, before its first turn; ask about its test for what reaches it at every turn.
        """
        bits = self._at(statement) & self._definitions.of_symbol.get(symbol, 0)
        return frozenset(self._definitions.nodes[bit] for bit in positions(bits))

    def possibly_undefined(self, statement: gast.AST, name: str) -> bool:
        """Whether there is a way to `statement` on which a local `name` has no value."""
        return bool(self._at(statement) & self._definitions.undefined.get(name, 0))

    def definitely_undefined(self, statement: gast.AST, name: str) -> bool:
        """Whether a local `name` has no value on any way to `statement`."""
        defined = self._at(statement) & self._definitions.of_symbol.get(Symbol(name), 0)
        return not defined and self.possibly_undefined(statement, name)

    def _at(self, statement: gast.AST) -> int:
        bits = 0
        for start, end in self.graph.spans.get(statement, ()):
            first = self.graph.nodes[start]
            if any(start <= node.index < end for node in first.predecessors):
                # A `while` begins once, though its test is also reached from its body.
                for node in first.predecessors:
                    bits |= 0 if start <= node.index < end else self._passed_on(node, first)
            else:
                bits |= self._solution.before[start]
        return bits

    def _passed_on(self, node: Node, successor: Node) -> int:
        bits = self._solution.behind[node.index] if successor in node.ordinary else 0
        if successor in node.exceptional:
            bits |= self._solution.before[node.index]
            bits |= 0 if _is_atomic(node) else self._solution.behind[node.index]
        return bits


def reaching(graph: Graph) -> Reaching:
    """Solve the problem for one graph; statements on their own begin with none of their names bound."""
    definitions = _number_definitions(graph)
    made, ended = definitions.made, definitions.ended
    problem: Problem[int] = Problem(
        direction="forward",
        bottom=0,
        join=int.__or__,
        transfer=lambda node, state: (state & ~ended[node.index]) | made[node.index],
        boundary={graph.entry.index: definitions.undefined_at_entry},
        is_atomic=_is_atomic,
    )
    solution = solve(graph, problem)
    return Reaching(graph, solution.complete, solution, definitions)


@dataclass(slots=True, eq=False)
class _Definitions:
    """Definitions as bits of an int.

    Each bit in `of_symbol` stands for the node in `nodes` at its position.
    `undefined` has one bit for each local name, which says that the name has no value.
    `made` and `ended` are what each node of the graph sets and clears, by its index.
    """

    nodes: dict[int, gast.AST]
    of_symbol: dict[Symbol, int]
    undefined: dict[str, int]
    undefined_at_entry: int
    made: list[int]
    ended: list[int]


def _number_definitions(graph: Graph) -> _Definitions:
    of_nodes = activities(graph)
    undefined = _undefined_bits(graph)
    numbered = _Definitions({}, {}, undefined, _undefined_at_entry(graph, undefined), [], [])
    made: list[int] = []
    bit_of: dict[tuple[gast.AST, Symbol], int] = {}
    for node, activity in zip(graph.nodes, of_nodes, strict=True):
        bits = 0
        for symbol in activity.writes | _maybe_written(node, undefined):
            statement = _defining_node(node, symbol)
            if (statement, symbol) not in bit_of:
                position = len(undefined) + len(numbered.nodes)
                numbered.nodes[position] = statement
                bit_of[statement, symbol] = 1 << position
            bit = bit_of[statement, symbol]
            bits |= bit
            numbered.of_symbol[symbol] = numbered.of_symbol.get(symbol, 0) | bit
        for symbol in activity.deletes:
            bits |= 0 if symbol.is_composite else undefined.get(symbol.root, 0)
        made.append(bits)
    numbered.made = made
    ends = _ended_by(numbered)
    for activity in of_nodes:
        bits = 0
        for symbol in activity.replaces:
            bits |= ends.get(symbol, 0)
        numbered.ended.append(bits)
    return numbered


def _ended_by(definitions: _Definitions) -> dict[Symbol, int]:
    """What binding or deleting each symbol ends: what is known of it and of all that starts with it."""
    ends = {Symbol(name): bit for name, bit in definitions.undefined.items()}
    for symbol, bits in definitions.of_symbol.items():
        for ended in (symbol, *symbol.parents()):
            ends[ended] = ends.get(ended, 0) | bits
    return ends


def _undefined_bits(graph: Graph) -> dict[str, int]:
    declared = declared_outside(graph)
    names: dict[str, int] = {}
    for activity in activities(graph):
        for symbol in activity.writes | activity.deletes:
            if not symbol.is_composite and symbol.root not in declared and symbol.root not in names:
                names[symbol.root] = 1 << len(names)
    return names


def _undefined_at_entry(graph: Graph, undefined: dict[str, int]) -> int:
    if kind_of(graph.tree) == "ClassDef":
        return 0
    bits = 0
    for name, bit in undefined.items():
        if kind_of(graph.tree) != "Module" or not hasattr(builtins, name):
            bits |= bit
    return bits


def _maybe_written(node: Node, names: Iterable[str]) -> frozenset[Symbol]:
    """What a statement may bind, now or later, without being sure to."""
    statement: Any = node.statement
    kind = kind_of(statement)
    if node.kind == "statement" and isinstance(statement, FUNCTIONS):
        return frozenset(Symbol(name) for name in closure_writes(statement)).intersection(map(Symbol, names))
    if kind == "ImportFrom" and any(alias.name == "*" for alias in statement.names):
        return frozenset(map(Symbol, names))
    return frozenset()


def _defining_node(node: Node, symbol: Symbol) -> gast.AST:
    statement: Any = node.statement
    if node.kind != "entry":
        return statement
    return next(parameter for parameter in parameters_of(statement) if parameter.id == symbol.root)


def _is_atomic(node: Node) -> bool:
    """Whether binding one name is the last that a statement does, and all that it does."""
    statement: Any = node.statement
    if node.kind != "statement":
        return False
    if kind_of(statement) == "Assign":
        return len(statement.targets) == 1 and kind_of(statement.targets[0]) == "Name"
    return kind_of(statement) in ("AugAssign", "AnnAssign") and kind_of(statement.target) == "Name"
