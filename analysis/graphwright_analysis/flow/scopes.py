"""Scopes: which names each module, class, function, lambda and comprehension binds, and who sees whose.

The order in which things run isn't looked at; `flow.cfg` and the analyses on it do that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Literal

import gast

from graphwright_analysis.flow.tree import (
    COMPREHENSIONS,
    annotations_of,
    children,
    defaults_of,
    kind_of,
    nodes_in,
    parameters_of,
)
from graphwright_analysis.immutability import immutable

# "type parameters" is the hidden scope that holds the `[T]` of a generic function, class or alias.
ScopeKind = Literal["module", "class", "function", "lambda", "comprehension", "type parameters"]


@dataclass(eq=False, slots=True)
class Scope:
    """One namespace of the program; compared by identity, not changed once `build_scopes` has returned.

    `reads` and `binds` are what stands in the scope itself.
    `bound` are the names that live here: `binds` without those declared global or nonlocal.
    `free` are the names needed here or in inner scopes that must come from outside.
    `mutated_nonlocals` are names of outer functions that this scope or an inner one binds or deletes.
    """

    kind: ScopeKind
    node: gast.AST
    parent: Scope | None
    children: list[Scope] = field(default_factory=lambda: [])
    parameters: tuple[str, ...] = ()
    reads: set[str] = field(default_factory=lambda: set())
    binds: set[str] = field(default_factory=lambda: set())
    globals: set[str] = field(default_factory=lambda: set())
    nonlocals: set[str] = field(default_factory=lambda: set())
    bound: Set[str] = frozenset()
    free: frozenset[str] = frozenset()
    mutated_nonlocals: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"<{self.kind} scope {getattr(self.node, 'name', '')!r} binding {sorted(self.bound)}>"


@immutable(eq=False)
class Scopes:
    """All scopes of a tree, outer ones before inner ones; the first is the module's."""

    all: tuple[Scope, ...]
    _by_node: dict[gast.AST, Scope]

    def __iter__(self) -> Iterator[Scope]:
        return iter(self.all)

    @property
    def module(self) -> Scope:
        return self.all[0]

    def of(self, node: gast.AST) -> Scope:
        """The scope that a module, class, function, lambda or comprehension opens; KeyError for others."""
        return self._by_node[node]


def build_scopes(tree: gast.AST) -> Scopes:
    """The scopes of a module, or of any other tree as if it stood alone in a module."""
    builder = _ScopeBuilder()
    module = builder.open("module", tree, None)
    if kind_of(tree) == "Module":
        builder.by_node[tree] = module
        builder.run(children(tree), module)
    else:
        builder.run([tree], module)
    _settle(builder.scopes)
    return Scopes(tuple(builder.scopes), builder.by_node)


_DEFINITIONS = frozenset({"FunctionDef", "AsyncFunctionDef", "ClassDef"})


def class_scopes(node: gast.AST, members: Sequence[Scopes]) -> Scopes:
    """The scopes of a class by itself, whose members have scopes of their own as if they stood in a module."""
    module, scope = Scope("module", node, None), Scope("class", node, None)
    scope.parent, module.children = module, [scope]
    for member in members:
        inner = member.module
        body: list[Any] = getattr(inner.node, "body", [])
        defined: Any = body[0] if len(body) == 1 else None
        scope.reads |= inner.reads
        # What a method declares global isn't the class's.
        scope.binds |= {defined.name} if kind_of(defined) in _DEFINITIONS else inner.binds
        scope.globals |= inner.globals
        scope.nonlocals |= inner.nonlocals
        scope.children += inner.children
    module.binds = {getattr(node, "name", "")}
    _settle([module, scope])
    return Scopes((module, scope), {node: scope})


def resolve(scope: Scope, name: str) -> Scope | None:
    """The scope whose variable `name` means when it is used directly in `scope`.

    None for a builtin and for a name that nothing in the tree binds.
    """
    if name in scope.globals:
        return _module_binding(scope, name)
    if name in scope.bound:
        return scope
    previous, current = scope, scope.parent
    while current is not None:
        # Only the scope itself sees the class around it, and an annotation scope sees through itself.
        visible = current.kind != "class" or (previous is scope and scope.kind == "type parameters")
        if visible and name in current.globals:
            return _module_binding(scope, name)
        if visible and name in current.bound and not (name in scope.nonlocals and current.kind == "module"):
            return current
        previous, current = current, current.parent
    return None


def _module_binding(scope: Scope, name: str) -> Scope | None:
    while scope.parent is not None:
        scope = scope.parent
    return scope if name in scope.bound else None


def _settle(scopes: list[Scope]) -> None:
    """Fill in what depends on inner scopes; inner scopes stand after outer ones in the list."""
    module = scopes[0]
    for scope in scopes:
        scope.bound = frozenset(scope.binds - scope.globals - scope.nonlocals)
        module.binds |= scope.binds & scope.globals
    module.bound = frozenset(module.binds)
    for scope in reversed(scopes):
        from_inner: set[str] = set()
        mutated_by_inner: set[str] = set()
        for child in scope.children:
            from_inner |= child.free - child.globals
            mutated_by_inner |= child.mutated_nonlocals
        if scope.kind == "class":
            scope.free = frozenset((scope.reads - scope.bound) | from_inner)
            scope.mutated_nonlocals = frozenset((scope.binds & scope.nonlocals) | mutated_by_inner)
        else:
            scope.free = frozenset((scope.reads | from_inner) - scope.bound)
            mutated = (scope.binds & scope.nonlocals) | (mutated_by_inner - scope.bound)
            scope.mutated_nonlocals = frozenset(mutated)
    for scope in scopes:
        # There are many scopes: equal sets are one.
        for name in ("reads", "binds", "globals", "nonlocals", "free", "mutated_nonlocals"):
            names: Set[str] = getattr(scope, name)
            if not names or names == scope.bound:
                setattr(scope, name, scope.bound if names else _NO_NAMES)


_NO_NAMES: frozenset[str] = frozenset()


class _ScopeBuilder:
    """Collects the scopes of a tree with a stack of its own, so that deep trees do no harm."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.by_node: dict[gast.AST, Scope] = {}
        self.stack: list[tuple[gast.AST, Scope]] = []

    def open(self, kind: ScopeKind, node: gast.AST, parent: Scope | None) -> Scope:
        scope = Scope(kind, node, parent)
        self.scopes.append(scope)
        if parent is not None:
            parent.children.append(scope)
            if kind != "type parameters":
                self.by_node[node] = scope
        return scope

    def push(self, nodes: list[gast.AST], scope: Scope) -> None:
        self.stack.extend((node, scope) for node in reversed(nodes))

    def run(self, nodes: list[gast.AST], scope: Scope) -> None:
        self.push(nodes, scope)
        stack = self.stack
        while stack:
            node, scope = stack.pop()
            kind = type(node).__name__
            if kind == "Name":
                _name(self, node, scope)
                continue
            handler = _HANDLERS.get(kind)
            if handler is not None:
                handler(self, node, scope)
                continue
            below = children(node)
            below.reverse()
            stack += [(child, scope) for child in below if type(child).__name__ != "Constant"]


_LOAD = gast.Load


def _name(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    (scope.reads if type(node.ctx) is _LOAD else scope.binds).add(node.id)


def _augmented(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    if kind_of(node.target) == "Name":
        scope.reads.add(node.target.id)
    builder.push([node.target, node.value], scope)


def _walrus(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    holder = scope
    while holder.kind == "comprehension" and holder.parent is not None:
        holder = holder.parent
    holder.binds.add(node.target.id)
    builder.push([node.value], scope)


def _alias(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    if node.name != "*":
        scope.binds.add(node.asname or node.name.split(".")[0])


def _global(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    scope.globals.update(node.names)


def _nonlocal(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    scope.nonlocals.update(node.names)


def _capture(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    name = node.rest if kind_of(node) == "MatchMapping" else node.name
    if name:
        scope.binds.add(name)
    builder.push(children(node), scope)


def _function(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    scope.binds.add(node.name)
    builder.push(nodes_in(node.decorator_list) + defaults_of(node), scope)
    around = _type_parameters(builder, node, scope)
    builder.push(annotations_of(node), around)
    inner = builder.open("function", node, around)
    _bind_parameters(node, inner)
    builder.push(nodes_in(node.body), inner)


def _lambda(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    builder.push(defaults_of(node), scope)
    inner = builder.open("lambda", node, scope)
    _bind_parameters(node, inner)
    builder.push(nodes_in([node.body]), inner)


def _class(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    scope.binds.add(node.name)
    builder.push(nodes_in(node.decorator_list), scope)
    around = _type_parameters(builder, node, scope)
    builder.push(nodes_in(node.bases) + nodes_in(node.keywords), around)
    builder.push(nodes_in(node.body), builder.open("class", node, around))


def _type_alias(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    builder.push([node.name], scope)
    around = _type_parameters(builder, node, scope)
    builder.push([node.value], around)


def _type_parameters(builder: _ScopeBuilder, node: Any, scope: Scope) -> Scope:
    parameters = nodes_in(getattr(node, "type_params", None))
    if not parameters:
        return scope
    around = builder.open("type parameters", node, scope)
    for parameter in parameters:
        around.binds.add(getattr(parameter, "name", ""))
        builder.push(children(parameter), around)
    return around


def _comprehension(builder: _ScopeBuilder, node: Any, scope: Scope) -> None:
    inner = builder.open("comprehension", node, scope)
    first = True
    for generator in node.generators:
        builder.push([generator.iter], scope if first else inner)
        builder.push([generator.target, *generator.ifs], inner)
        first = False
    builder.push([child for child in children(node) if kind_of(child) != "comprehension"], inner)


def _bind_parameters(node: Any, scope: Scope) -> None:
    scope.parameters = tuple(parameter.id for parameter in parameters_of(node))
    scope.binds.update(scope.parameters)


_HANDLERS: dict[str, Callable[[_ScopeBuilder, Any, Scope], None]] = {
    "Name": _name,
    "AugAssign": _augmented,
    "NamedExpr": _walrus,
    "alias": _alias,
    "Global": _global,
    "Nonlocal": _nonlocal,
    "MatchAs": _capture,
    "MatchStar": _capture,
    "MatchMapping": _capture,
    "FunctionDef": _function,
    "AsyncFunctionDef": _function,
    "ClassDef": _class,
    "Lambda": _lambda,
    "TypeAlias": _type_alias,
    **{each.__name__: _comprehension for each in COMPREHENSIONS},
}
