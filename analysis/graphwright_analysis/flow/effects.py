"""The walk that collects what code does to symbols.

What counts as what is described in `flow.activity`, which is what others use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import gast

from graphwright_analysis.flow.scopes import build_scopes
from graphwright_analysis.flow.tree import (
    COMPREHENSIONS,
    annotations_of,
    children,
    defaults_of,
    kind_of,
    nodes_in,
)
from graphwright_analysis.immutability import immutable
from graphwright_analysis.syntax.names import Symbol, chain, symbol_of

_NOTHING: frozenset[Symbol] = frozenset()


@immutable
class Activity:
    """What code does to symbols; see the module's page for what counts as what."""

    reads: frozenset[Symbol] = _NOTHING
    writes: frozenset[Symbol] = _NOTHING
    deletes: frozenset[Symbol] = _NOTHING
    mutates: frozenset[Symbol] = _NOTHING
    maybe_writes: frozenset[Symbol] = _NOTHING
    own_reads: frozenset[Symbol] = _NOTHING

    @property
    def needs(self) -> frozenset[Symbol]:
        """The symbols whose value from before the code may be read."""
        return self.reads - self.own_reads

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
            (self.own_reads | other.own_reads) - self.needs - other.needs,
        )


class Visibility(NamedTuple):
    """What code sees where it stands: which names are local there, which in functions there, whether it runs later, and
    whether it may not run at all."""

    hidden: frozenset[str]
    hidden_in_functions: frozenset[str]
    deferred: bool = False
    conditional: bool = False

    def within(self, names: Iterable[str]) -> Visibility:
        hidden = self.hidden_in_functions | frozenset(names)
        return Visibility(hidden, hidden, self.deferred, self.conditional)

    def perhaps(self) -> Visibility:
        return self._replace(conditional=True)


OUTSIDE = Visibility(frozenset(), frozenset())


class Collector:
    """Walks code with a stack of its own, so that deep trees do no harm."""

    def __init__(self, on_function: Callable[[Collector, Any, Visibility], None]) -> None:
        self.on_function = on_function
        self.reads: set[Symbol] = set()
        self.writes: set[Symbol] = set()
        self.deletes: set[Symbol] = set()
        self.mutates: set[Symbol] = set()
        self.written_for_sure: set[Symbol] = set()
        self.has_walrus = False
        self.stack: list[tuple[gast.AST, Visibility]] = []

    def activity(self) -> Activity:
        return Activity(
            frozenset(self.reads),
            frozenset(self.writes),
            frozenset(self.deletes),
            frozenset(self.mutates),
            frozenset(self.writes - self.written_for_sure),
        )

    def push(self, nodes: Iterable[gast.AST], place: Visibility) -> None:
        self.stack.extend((node, place) for node in nodes)

    def run(self, nodes: Iterable[gast.AST], place: Visibility) -> None:
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

    def read(self, symbol: Symbol, place: Visibility) -> None:
        if symbol.root not in place.hidden:
            self.reads.add(symbol)

    def change(self, changed: set[Symbol], symbol: Symbol, place: Visibility) -> None:
        """Note a change in one of the sets; what runs later changes nothing now."""
        if not place.deferred and symbol.root not in place.hidden:
            changed.add(symbol)
            if not place.conditional:
                self.written_for_sure.add(symbol)

    def access(self, symbol: Symbol, context: str, place: Visibility) -> None:
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


def ignore_body(collector: Collector, node: Any, place: Visibility) -> None:
    """A function's body runs later and is left out."""


def read_body(collector: Collector, node: Any, place: Visibility) -> None:
    """A function's body runs later, but what it reads from outside counts as read."""
    scope = build_scopes(node).of(node)
    inner = place.within(scope.bound | scope.globals | type_parameter_names(node))
    body = [node.body] if kind_of(node) == "Lambda" else node.body
    collector.push(nodes_in(body), inner._replace(deferred=True))


def type_parameter_names(node: Any) -> frozenset[str]:
    parameters = nodes_in(getattr(node, "type_params", None))
    return frozenset(getattr(parameter, "name", "") for parameter in parameters)


def _name(collector: Collector, node: Any, place: Visibility) -> None:
    collector.access(Symbol(node.id), type(node.ctx).__name__, place)


def _path(collector: Collector, node: Any, place: Visibility) -> None:
    symbol = symbol_of(node)
    context = type(node.ctx).__name__
    if symbol is not None:
        collector.access(symbol, context, place)
        return
    if context in ("Store", "Del"):
        _dynamic_store(collector, node, place)
    collector.push(children(node), place)


def _dynamic_store(collector: Collector, node: Any, place: Visibility) -> None:
    """Note whose inside a store changes: the longest symbol in front of the key that isn't constant."""
    for part in chain(node):
        symbol = symbol_of(part)
        if symbol is not None:
            collector.change(collector.mutates, symbol, place)
            return


def _augmented(collector: Collector, node: Any, place: Visibility) -> None:
    symbol = symbol_of(node.target)
    if symbol is not None:
        collector.read(symbol, place)
    collector.push([node.target, node.value], place)


def _annotated(collector: Collector, node: Any, place: Visibility) -> None:
    collector.push(nodes_in([node.annotation, node.value]), place)
    if node.value is not None:
        collector.push([node.target], place)
    elif kind_of(node.target) != "Name":
        collector.push(children(node.target), place)


def _alias(collector: Collector, node: Any, place: Visibility) -> None:
    if node.name != "*":
        collector.change(collector.writes, Symbol(node.asname or node.name.split(".")[0]), place)


def _capture(collector: Collector, node: Any, place: Visibility) -> None:
    name = node.rest if kind_of(node) == "MatchMapping" else node.name
    if name:
        collector.change(collector.writes, Symbol(name), place)
    collector.push(children(node), place)


def _function(collector: Collector, node: Any, place: Visibility) -> None:
    collector.change(collector.writes, Symbol(node.name), place)
    collector.push(nodes_in(node.decorator_list) + defaults_of(node), place)
    collector.push(annotations_of(node), _with_type_parameters(node, place))
    collector.on_function(collector, node, place)


def _lambda(collector: Collector, node: Any, place: Visibility) -> None:
    collector.push(defaults_of(node), place)
    collector.on_function(collector, node, place)


def _class(collector: Collector, node: Any, place: Visibility) -> None:
    collector.change(collector.writes, Symbol(node.name), place)
    collector.push(nodes_in(node.decorator_list), place)
    around = _with_type_parameters(node, place)
    collector.push(nodes_in(node.bases) + nodes_in(node.keywords), around)
    bound = build_scopes(node).of(node).bound
    collector.push(nodes_in(node.body), around._replace(hidden=around.hidden | bound))


def _with_type_parameters(node: Any, place: Visibility) -> Visibility:
    names = type_parameter_names(node)
    return place._replace(hidden=place.hidden | names, hidden_in_functions=place.hidden_in_functions | names)


def _type_alias(collector: Collector, node: Any, place: Visibility) -> None:
    collector.push([node.name], place)


def _walrus(collector: Collector, node: Any, place: Visibility) -> None:
    collector.has_walrus = True
    collector.push([node.target, node.value], place)


def _comprehension(collector: Collector, node: Any, place: Visibility) -> None:
    inner = place.within(_bound_by_targets(generator.target for generator in node.generators))
    outer, inner = place, inner.perhaps()
    for generator in node.generators:
        collector.push([generator.iter], outer)
        collector.push([generator.target, *generator.ifs], inner)
        outer = inner
    collector.push((child for child in children(node) if kind_of(child) != "comprehension"), inner)


def _short_circuit(collector: Collector, node: Any, place: Visibility) -> None:
    """Of `and`, `or`, a chain of comparisons, a conditional expression, an assertion, only the first part is
    sure to run; comparisons always evaluate two operands. All have it as their first child."""
    parts = children(node)
    sure = 2 if kind_of(node) == "Compare" else 1
    collector.push(parts[:sure], place)
    collector.push(parts[sure:], place.perhaps())


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


def _handler(collector: Collector, node: Any, place: Visibility) -> None:
    """A whole handler; its header alone, as `activity_of` sees it, does write the name."""
    names = {node.name.id} if node.name is not None else set[str]()
    inner = place._replace(hidden=place.hidden | names, hidden_in_functions=place.hidden_in_functions | names)
    collector.push(nodes_in([node.type]), place)
    collector.push(nodes_in(node.body), inner)


def _nothing(collector: Collector, node: Any, place: Visibility) -> None:
    """Nodes without effect on symbols."""


_HANDLERS: dict[str, Callable[[Collector, Any, Visibility], None]] = {
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
    "NamedExpr": _walrus,
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
    **{each.__name__: _comprehension for each in COMPREHENSIONS},
}
