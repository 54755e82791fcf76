"""Activity: which symbols a piece of code reads, writes and deletes.

The order of these effects isn't described, and nothing is followed through calls.

What counts as what:

- Reading `self.x` reads `self` and `self.x`; writing `self.x` writes `self.x` and reads `self`.
  Deleting reads and deletes, an augmented assignment reads and writes.
- A store or deletion under a key that isn't constant (`d[i] = v`, `x[1:] = v`) writes no symbol: the
  longest symbol in front of the key (`d`) is read and is in `mutates`.
- A declaration without a value (`x: int`) writes nothing; annotations are read.
- Variables of comprehensions are local to them; a walrus inside one writes. A write that needn't happen when
  the code runs, by a walrus behind `and` or in a comprehension, is in `maybe_writes` too. Generator expressions count as
  evaluated where they stand.
- A class body runs where it stands: what it reads and doesn't bind itself is read by the class statement.
- Bodies of functions and lambdas run later. `activity_of` leaves them out; `total_activity` includes what
  they read from outside, but nothing that they write. `closure_reads` and `closure_writes` tell both.
- `global` and `nonlocal` statements do nothing; `from m import *` writes nothing that has a name here.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import gast

from graphwright_analysis.flow.graph import Graph, Node
from graphwright_analysis.flow.scopes import build_scopes
from graphwright_analysis.flow.tree import (
    COMPREHENSIONS,
    FUNCTIONS,
    annotations_of,
    children,
    defaults_of,
    kind_of,
    nodes_in,
    parameters_of,
)
from graphwright_analysis.syntax.names import Symbol, chain, symbol_of

_NOTHING: frozenset[Symbol] = frozenset()


@dataclass(frozen=True, slots=True)
class Activity:
    """What code does to symbols; see the module's page for what counts as what."""

    reads: frozenset[Symbol] = _NOTHING
    writes: frozenset[Symbol] = _NOTHING
    deletes: frozenset[Symbol] = _NOTHING
    mutates: frozenset[Symbol] = _NOTHING
    maybe_writes: frozenset[Symbol] = _NOTHING

    @property
    def replaces(self) -> frozenset[Symbol]:
        """The symbols that have lost their old value for sure when the code has run as one node."""
        return (self.writes - self.maybe_writes) | self.deletes

    def __or__(self, other: Activity) -> Activity:
        return Activity(
            self.reads | other.reads,
            self.writes | other.writes,
            self.deletes | other.deletes,
            self.mutates | other.mutates,
            self.maybe_writes | other.maybe_writes,
        )


def activity_of(node: gast.AST | Node) -> Activity:
    """What executing one node of the control-flow graph does.

    Given a compound statement, it describes the header only: the test of an `if` or `while`, iterable and
    target of a `for`, the items of a `with`, type and name of a handler, subject of a `match`, pattern and
    guard of a case. A function as the entry node of its graph writes its parameters.
    """
    if isinstance(node, Node):
        return _activity_of_graph_node(node)
    collector = _Collector(_ignore_body)
    header = _HEADERS.get(kind_of(node))
    collector.run([node] if header is None else _fields(node, header), _OPEN)
    return collector.activity()


def total_activity(nodes: Sequence[gast.AST]) -> Activity:
    """What whole statements or expressions do with everything inside them, executed or not.

    Includes what bodies of nested functions and lambdas read from outside.
    The name that an exception handler binds is local to the handler.
    """
    collector = _Collector(_read_body)
    collector.run(nodes, _OPEN)
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
    collector = _Collector(_read_body)
    if kind_of(node) == "ClassDef":
        hidden = frozenset(_type_parameter_names(node))
        for function in _functions_in_class(node):
            _read_body(collector, function, _Place(hidden, hidden, deferred=True))
    else:
        _read_body(collector, node, _OPEN)
    collector.drain()
    return frozenset(collector.reads)


def closure_reads(node: gast.AST) -> frozenset[str]:
    """The names that the body of a function or lambda, or the methods of a class, read from outside."""
    return frozenset(symbol.root for symbol in closure_symbols(node))


def closure_writes(node: gast.AST) -> frozenset[str]:
    """The names of outer functions that a function, or a function inside it, binds by `nonlocal`."""
    return build_scopes(node).of(node).mutated_nonlocals


class _Place(NamedTuple):
    """Where code stands: which names are local there, which in functions there, whether it runs later, and
    whether it may not run at all."""

    hidden: frozenset[str]
    hidden_in_functions: frozenset[str]
    deferred: bool = False
    conditional: bool = False

    def within(self, names: Iterable[str]) -> _Place:
        hidden = self.hidden_in_functions | frozenset(names)
        return _Place(hidden, hidden, self.deferred, self.conditional)

    def perhaps(self) -> _Place:
        return self._replace(conditional=True)


_OPEN = _Place(frozenset(), frozenset())


class _Collector:
    """Walks code with a stack of its own, so that deep trees do no harm."""

    def __init__(self, on_function: Callable[[_Collector, Any, _Place], None]) -> None:
        self.on_function = on_function
        self.reads: set[Symbol] = set()
        self.writes: set[Symbol] = set()
        self.deletes: set[Symbol] = set()
        self.mutates: set[Symbol] = set()
        self.written_for_sure: set[Symbol] = set()
        self.stack: list[tuple[gast.AST, _Place]] = []

    def activity(self) -> Activity:
        return Activity(
            frozenset(self.reads),
            frozenset(self.writes),
            frozenset(self.deletes),
            frozenset(self.mutates),
            frozenset(self.writes - self.written_for_sure),
        )

    def push(self, nodes: Iterable[gast.AST], place: _Place) -> None:
        self.stack.extend((node, place) for node in nodes)

    def run(self, nodes: Iterable[gast.AST], place: _Place) -> None:
        self.push(nodes, place)
        self.drain()

    def drain(self) -> None:
        stack = self.stack
        while stack:
            node, place = stack.pop()
            handler = _HANDLERS.get(type(node).__name__)
            if handler is None:
                for child in children(node):
                    stack.append((child, place))
            else:
                handler(self, node, place)

    def read(self, symbol: Symbol, place: _Place) -> None:
        if symbol.root not in place.hidden:
            self.reads.add(symbol)

    def change(self, changed: set[Symbol], symbol: Symbol, place: _Place) -> None:
        """Note a change in one of the sets; what runs later changes nothing now."""
        if not place.deferred and symbol.root not in place.hidden:
            changed.add(symbol)
            if not place.conditional:
                self.written_for_sure.add(symbol)

    def access(self, symbol: Symbol, context: str, place: _Place) -> None:
        """One use of a symbol in a context: Load, Store or Del."""
        for parent in symbol.parents():
            self.read(parent, place)
        if context == "Store":
            self.change(self.writes, symbol, place)
            return
        if context != "Param":
            self.read(symbol, place)
        if context == "Del":
            self.change(self.deletes, symbol, place)


def _activity_of_graph_node(node: Node) -> Activity:
    statement: Any = node.statement
    if statement is None:
        return Activity()
    if node.kind == "entry":
        return Activity(writes=frozenset(Symbol(parameter.id) for parameter in parameters_of(statement)))
    if node.kind == "unbind":
        return Activity(deletes=frozenset({Symbol(statement.name.id)}))
    return activity_of(statement)


def _fields(node: gast.AST, names: tuple[str, ...]) -> list[gast.AST]:
    found: list[gast.AST] = []
    for name in names:
        value: Any = getattr(node, name, None)
        found.extend(nodes_in(value if isinstance(value, list) else [value]))
    return found


def _ignore_body(collector: _Collector, node: Any, place: _Place) -> None:
    """A function's body runs later and is left out."""


def _read_body(collector: _Collector, node: Any, place: _Place) -> None:
    """A function's body runs later, but what it reads from outside counts as read."""
    scope = build_scopes(node).of(node)
    inner = place.within(scope.bound | scope.globals | _type_parameter_names(node))
    body = [node.body] if kind_of(node) == "Lambda" else node.body
    collector.push(nodes_in(body), inner._replace(deferred=True))


def _type_parameter_names(node: Any) -> frozenset[str]:
    parameters = nodes_in(getattr(node, "type_params", None))
    return frozenset(getattr(parameter, "name", "") for parameter in parameters)


def _functions_in_class(node: Any) -> list[gast.AST]:
    """The functions and lambdas in a class body, which run later than it, without those inside them."""
    found: list[gast.AST] = []
    stack = nodes_in(node.body)
    while stack:
        current = stack.pop()
        if kind_of(current) in FUNCTIONS or kind_of(current) == "Lambda":
            found.append(current)
        else:
            stack.extend(children(current))
    return found


def _name(collector: _Collector, node: Any, place: _Place) -> None:
    collector.access(Symbol(node.id), type(node.ctx).__name__, place)


def _path(collector: _Collector, node: Any, place: _Place) -> None:
    symbol = symbol_of(node)
    context = type(node.ctx).__name__
    if symbol is not None:
        collector.access(symbol, context, place)
        return
    if context in ("Store", "Del"):
        _dynamic_store(collector, node, place)
    collector.push(children(node), place)


def _dynamic_store(collector: _Collector, node: Any, place: _Place) -> None:
    """Note whose inside a store changes: the longest symbol in front of the key that isn't constant."""
    for part in chain(node):
        symbol = symbol_of(part)
        if symbol is not None:
            collector.change(collector.mutates, symbol, place)
            return


def _augmented(collector: _Collector, node: Any, place: _Place) -> None:
    symbol = symbol_of(node.target)
    if symbol is not None:
        collector.read(symbol, place)
    collector.push([node.target, node.value], place)


def _annotated(collector: _Collector, node: Any, place: _Place) -> None:
    collector.push(nodes_in([node.annotation, node.value]), place)
    if node.value is not None:
        collector.push([node.target], place)
    elif kind_of(node.target) != "Name":
        collector.push(children(node.target), place)


def _alias(collector: _Collector, node: Any, place: _Place) -> None:
    if node.name != "*":
        collector.change(collector.writes, Symbol(node.asname or node.name.split(".")[0]), place)


def _capture(collector: _Collector, node: Any, place: _Place) -> None:
    name = node.rest if kind_of(node) == "MatchMapping" else node.name
    if name:
        collector.change(collector.writes, Symbol(name), place)
    collector.push(children(node), place)


def _function(collector: _Collector, node: Any, place: _Place) -> None:
    collector.change(collector.writes, Symbol(node.name), place)
    collector.push(nodes_in(node.decorator_list) + defaults_of(node), place)
    collector.push(annotations_of(node), _with_type_parameters(node, place))
    collector.on_function(collector, node, place)


def _lambda(collector: _Collector, node: Any, place: _Place) -> None:
    collector.push(defaults_of(node), place)
    collector.on_function(collector, node, place)


def _class(collector: _Collector, node: Any, place: _Place) -> None:
    collector.change(collector.writes, Symbol(node.name), place)
    collector.push(nodes_in(node.decorator_list), place)
    around = _with_type_parameters(node, place)
    collector.push(nodes_in(node.bases) + nodes_in(node.keywords), around)
    bound = build_scopes(node).of(node).bound
    collector.push(nodes_in(node.body), around._replace(hidden=around.hidden | bound))


def _with_type_parameters(node: Any, place: _Place) -> _Place:
    names = _type_parameter_names(node)
    return place._replace(hidden=place.hidden | names, hidden_in_functions=place.hidden_in_functions | names)


def _type_alias(collector: _Collector, node: Any, place: _Place) -> None:
    collector.push([node.name], place)


def _comprehension(collector: _Collector, node: Any, place: _Place) -> None:
    inner = place.within(_bound_by_targets(generator.target for generator in node.generators))
    outer, inner = place, inner.perhaps()
    for generator in node.generators:
        collector.push([generator.iter], outer)
        collector.push([generator.target, *generator.ifs], inner)
        outer = inner
    collector.push((child for child in children(node) if kind_of(child) != "comprehension"), inner)


def _short_circuit(collector: _Collector, node: Any, place: _Place) -> None:
    """Of `and`, `or`, a chain of comparisons, a conditional expression, an assertion, only the first part is
    sure to run; comparisons always evaluate two operands."""
    first, *rest = [node.test] if hasattr(node, "test") else children(node)
    if hasattr(node, "test"):
        rest = [child for child in children(node) if child is not first]
    elif kind_of(node) == "Compare":
        collector.push(rest[:1], place)
        rest = rest[1:]
    collector.push([first], place)
    collector.push(rest, place.perhaps())


def _bound_by_targets(targets: Iterable[gast.AST]) -> set[str]:
    names: set[str] = set()
    stack = list(targets)
    while stack:
        current: Any = stack.pop()
        if kind_of(current) == "Name":
            names.add(current.id)
        elif kind_of(current) in ("Tuple", "List", "Starred"):
            stack.extend(children(current))
    return names


def _handler(collector: _Collector, node: Any, place: _Place) -> None:
    """A whole handler; its header alone, as `activity_of` sees it, does write the name."""
    names = {node.name.id} if node.name is not None else set[str]()
    inner = place._replace(hidden=place.hidden | names, hidden_in_functions=place.hidden_in_functions | names)
    collector.push(nodes_in([node.type]), place)
    collector.push(nodes_in(node.body), inner)


def _nothing(collector: _Collector, node: Any, place: _Place) -> None:
    """Nodes without effect on symbols."""


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

_HANDLERS: dict[str, Callable[[_Collector, Any, _Place], None]] = {
    "Name": _name,
    "Attribute": _path,
    "Subscript": _path,
    "AugAssign": _augmented,
    "AnnAssign": _annotated,
    "alias": _alias,
    "MatchAs": _capture,
    "MatchStar": _capture,
    "MatchMapping": _capture,
    "FunctionDef": _function,
    "AsyncFunctionDef": _function,
    "Lambda": _lambda,
    "ClassDef": _class,
    "TypeAlias": _type_alias,
    "ExceptHandler": _handler,
    "BoolOp": _short_circuit,
    "Compare": _short_circuit,
    "IfExp": _short_circuit,
    "Assert": _short_circuit,
    "Constant": _nothing,
    "Global": _nothing,
    "Nonlocal": _nothing,
    **dict.fromkeys(COMPREHENSIONS, _comprehension),
}
