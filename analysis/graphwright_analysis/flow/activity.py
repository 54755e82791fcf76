"""Activity: which symbols a piece of code reads, writes and deletes.

Of their order only this is described: which symbols are read after a walrus in the same code has set them. Nothing is
followed through calls.

What counts as what:

- Reading `self.x` reads `self` and `self.x`; writing `self.x` writes `self.x` and reads `self`.
  Deleting reads and deletes, an augmented assignment reads and writes.
- A store or deletion under a key that isn't constant (`d[i] = v`, `x[1:] = v`) writes no symbol: the
  longest symbol in front of the key (`d`) is read and is in `mutates`.
- A declaration without a value (`x: int`) writes nothing; annotations are read.
- Variables of comprehensions are local to them; a walrus inside one writes. Generator expressions count as
  evaluated where they stand.
- A write that needn't happen when the code runs (by a walrus after `and` or in a comprehension) is in
  `maybe_writes`, too.
- A class body runs where it stands: what it reads and doesn't bind itself is read by the class statement.
- Bodies of functions and lambdas run later. `activity_of` leaves them out; `total_activity` includes what
  they read from outside, but nothing that they write. `closure_reads` and `closure_writes` tell both.
- `global` and `nonlocal` statements do nothing; `from m import *` writes nothing that has a name here.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from graphwright_analysis.flow.effects import (
    OUTSIDE,
    Activity,
    Collector,
    Visibility,
    ignore_body,
    read_body,
    type_parameter_names,
)
from graphwright_analysis.flow.evaluation_order import set_before_read
from graphwright_analysis.flow.graph import Graph, Node
from graphwright_analysis.flow.scopes import build_scopes
from graphwright_analysis.flow.tree import FUNCTIONS, children, kind_of, nodes_in, parameters_of
from graphwright_analysis.syntax.names import Symbol


def activity_of(node: gast.AST | Node) -> Activity:
    """What executing one node of the control-flow graph does.

    Given a compound statement, it describes the header only: the test of an `if` or `while`, iterable and
    target of a `for`, the items of a `with`, type and name of a handler, subject of a `match`, pattern and
    guard of a case. A function as the entry node of its graph writes its parameters.
    """
    if isinstance(node, Node):
        return _activity_of_graph_node(node)
    collector = Collector(ignore_body)
    header = _HEADERS.get(kind_of(node))
    collector.run([node] if header is None else _fields(node, header), OUTSIDE)
    activity = collector.activity()
    return _with_own_reads(activity, node) if collector.has_walrus else activity


def total_activity(nodes: Sequence[gast.AST]) -> Activity:
    """What whole statements or expressions do with everything inside them, executed or not.

    Includes what bodies of nested functions and lambdas read from outside.
    The name that an exception handler binds is local to the handler.
    """
    collector = Collector(read_body)
    collector.run(nodes, OUTSIDE)
    return collector.activity()


def activities(graph: Graph) -> Sequence[Activity]:
    """The activity of each node of a graph, by its index; computed once per graph."""
    if graph not in _of_graphs:
        # Copies of a finally block share their statements.
        of_statement = {(node.kind, node.statement): node for node in graph.nodes}
        known = {key: _activity_of_graph_node(node) for key, node in of_statement.items()}
        _of_graphs[graph] = [known[node.kind, node.statement] for node in graph.nodes]
    return _of_graphs[graph]


_of_graphs: weakref.WeakKeyDictionary[Graph, list[Activity]] = weakref.WeakKeyDictionary()


def closure_symbols(node: gast.AST) -> frozenset[Symbol]:
    """What the body of a function or lambda, or the methods of a class, read from outside when they run."""
    collector = Collector(read_body)
    if kind_of(node) == "ClassDef":
        hidden = frozenset(type_parameter_names(node))
        for function in _functions_in_class(node):
            read_body(collector, function, Visibility(hidden, hidden, deferred=True))
    else:
        read_body(collector, node, OUTSIDE)
    collector.drain()
    return frozenset(collector.reads)


def closure_reads(node: gast.AST) -> frozenset[str]:
    """The names that the body of a function or lambda, or the methods of a class, read from outside."""
    return frozenset(symbol.root for symbol in closure_symbols(node))


def closure_writes(node: gast.AST) -> frozenset[str]:
    """The names of outer functions that a function, or a function inside it, binds by `nonlocal`.

    Of a class it's what its methods bind: its own body has run once it is defined.
    """
    scope = build_scopes(node).of(node)
    if scope.kind == "class":
        return frozenset[str]().union(*[child.mutated_nonlocals for child in scope.children])
    return scope.mutated_nonlocals


def _activity_of_graph_node(node: Node) -> Activity:
    statement: Any = node.statement
    if statement is None:
        return Activity()
    if node.kind == "entry":
        return Activity(writes=frozenset(Symbol(parameter.id) for parameter in parameters_of(statement)))
    if node.kind == "unbind":
        return Activity(deletes=frozenset({Symbol(statement.name.id)}))
    return activity_of(statement)


def _with_own_reads(activity: Activity, node: gast.AST) -> Activity:
    """The activity of a node with a walrus, with what it reads after it has set it."""
    order = () if isinstance(node, gast.expr) else _IN_ORDER.get(kind_of(node))
    if order is None:
        return activity
    names = set_before_read(_fields(node, order) or [node])
    return replace(activity, own_reads=frozenset(symbol for symbol in activity.reads if symbol.root in names))


def _fields(node: gast.AST, names: tuple[str, ...]) -> list[gast.AST]:
    found: list[gast.AST] = []
    for name in names:
        value: Any = getattr(node, name, None)
        found.extend(nodes_in(value if isinstance(value, list) else [value]))
    return found


def _functions_in_class(node: Any) -> list[gast.AST]:
    """The functions and lambdas in a class body, which run later than it, without those inside them."""
    found: list[gast.AST] = []
    stack = nodes_in(node.body)
    while stack:
        current = stack.pop()
        if isinstance(current, (*FUNCTIONS, gast.Lambda)):
            found.append(current)
        else:
            stack.extend(children(current))
    return found


_IN_ORDER: dict[str, tuple[str, ...]] = {
    "Assign": ("value", "targets"),
    "AugAssign": (),
    "AnnAssign": ("value", "target", "annotation"),
    "Expr": (),
    "Return": (),
    "If": ("test",),
    "While": ("test",),
    "For": ("iter", "target"),
}
"""The parts of statements in the order in which Python evaluates them, if that isn't the order of the tree."""

_HEADERS: dict[str, tuple[str, ...]] = {
    "If": ("test",),
    "While": ("test",),
    "For": ("iter", "target"),
    "AsyncFor": ("iter", "target"),
    "With": ("items",),
    "AsyncWith": ("items",),
    "Try": (),
    "TryStar": (),
    "ExceptHandler": ("type", "name"),
    "Match": ("subject",),
    "match_case": ("pattern", "guard"),
    "Module": (),
}
