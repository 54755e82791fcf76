"""Information about the flow of a file's code, cached as long as the blocks with the code stay the same."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import gast

from graphwright_analysis.flow import (
    Activity,
    Liveness,
    Scope,
    Scopes,
    build_cfg,
    build_scopes,
    class_scopes,
    liveness,
    total_activity,
)
from graphwright_analysis.flow.tree import bodies_below, children, kind_of, nodes_in
from graphwright_analysis.immutability import immutable
from graphwright_analysis.outlines import Text
from graphwright_analysis.syntax import Block
from graphwright_analysis.syntax.same_code import code_of
from graphwright_analysis.text import Range
from graphwright_analysis.tracing.facts.python_use import Cause

from . import conversion_obstacles
from .starts import Memory

Loop = gast.For | gast.While
K = TypeVar("K")
V = TypeVar("V")


@immutable
class FunctionShape:
    """Properties of a function: whether it yields, what prevents AutoGraph from converting it, and its number of
    statements.

    Nested functions and classes don't count. For a lambda, also another one that AutoGraph can't distinguish from it.
    """

    generator: bool
    obstacle: tuple[Cause, gast.AST] | None
    statements: int
    twin: Range | None


@dataclass(slots=True)
class FlowCache:
    """Scopes and liveness, cached as long as the blocks of the functions stay the same."""

    scopes: dict[Block, Scopes] = field(default_factory=dict[Block, Scopes])
    live: dict[gast.AST, Liveness] = field(default_factory=dict[gast.AST, Liveness])
    bodies: dict[gast.stmt, Activity] = field(default_factory=dict["gast.stmt", Activity])
    stores: dict[Block, frozenset[str]] = field(default_factory=dict[Block, "frozenset[str]"])
    names: dict[Block, frozenset[str]] = field(default_factory=dict[Block, "frozenset[str]"])
    functions: dict[gast.AST, FunctionShape] = field(default_factory=dict[gast.AST, "FunctionShape"])
    surely_run: dict[gast.AST, Set[gast.AST] | None] = field(default_factory=dict["gast.AST", "Set[gast.AST] | None"])
    """The nodes of a function that run whatever it finds if it asks whether something exists; None if it never asks."""
    begins: dict[Block, bool] = field(default_factory=dict[Block, bool])
    texts: dict[Block, Text] = field(default_factory=dict[Block, Text])
    imports: dict[Block, tuple[tuple[str, Any], ...]] = field(
        default_factory=dict[Block, "tuple[tuple[str, Any], ...]"]
    )
    loops: dict[gast.AST, dict[gast.AST, tuple[Loop, ...]]] = field(
        default_factory=dict[gast.AST, "dict[gast.AST, tuple[Loop, ...]]"]
    )
    memory: Memory = field(default_factory=Memory)

    def kept(self, left: Set[Block]) -> FlowCache:
        """Return what is still valid if only these blocks remain."""
        scopes = _only(self.scopes, left)
        nodes = {scope.node for each in scopes.values() for scope in each}
        live = _only(self.live, nodes)
        inside = {node for each in live.values() for node in each.graph.after}
        return FlowCache(
            scopes,
            live,
            _only(self.bodies, inside),
            _only(self.stores, left),
            _only(self.names, left),
            _only(self.functions, nodes),
            _only(self.surely_run, nodes),
            _only(self.begins, left),
            _only(self.texts, left),
            _only(self.imports, left),
            _only(self.loops, nodes),
            self.memory.kept(left),
        )

    def with_own_memory(self) -> FlowCache:
        """Return one that shares everything but the memory of runs, which refers to the files around."""
        return replace(self, memory=Memory())

    def dissolve(self) -> None:
        """Break reference cycles between scopes, so that only reference counting is needed to free them."""
        for live in self.live.values():
            live.graph.dissolve()
        for scopes in self.scopes.values():
            for scope in scopes:
                scope.children.clear()

    def scopes_in(self, block: Block) -> Scopes:
        found = self.scopes.get(block)
        if found is None:
            if block.parts:
                found = class_scopes(block.statements[0], [self.scopes_in(part) for part in block.pieces[1:]])
            else:
                found = build_scopes(gast.Module(list(block.statements), []))
            self.scopes[block] = found
        return found

    def scopes_of(self, block: Block, node: gast.AST) -> Scope:
        return self.scopes_in(block).of(node)

    def activity_in(self, statement: gast.If | gast.For | gast.While) -> Activity:
        """The names that the bodies of a compound statement read and write."""
        found = self.bodies.get(statement)
        if found is None:
            orelse = statement.orelse if isinstance(statement, gast.If) else []
            found = self.bodies[statement] = total_activity([*statement.body, *orelse])
        return found

    def names_in(self, block: Block) -> frozenset[str]:
        """The module's names that a block binds, also by `global` in a function."""
        found = self.names.get(block)
        if found is None:
            found = _plainly_bound(block)
            if found is None:
                found = frozenset(
                    name
                    for scope in self.scopes_in(block)
                    for name in (scope.bound if scope.kind == "module" and block.kind != "member" else scope.globals)
                )
            self.names[block] = found
        return found

    def text_of(self, block: Block) -> Text:
        """What a block's text may look up in other files."""
        found = self.texts.get(block)
        if found is None:
            found = self.texts[block] = Text.of(code_of(block.text).bare)
        return found

    def shape_of(self, block: Block, function: gast.AST) -> FunctionShape:
        found = self.functions.get(function)
        if found is None:
            constructs = conversion_obstacles.in_function(function, block.text)
            twin = conversion_obstacles.twin_of(block, function)
            found = self.functions[function] = FunctionShape(*constructs, twin)
        return found

    def loops_around(self, function: gast.AST, statement: gast.stmt) -> tuple[Loop, ...]:
        """The loops of a function around one of its statements, outermost first."""
        found = self.loops.get(function)
        if found is None:
            found = self.loops[function] = dict(_loops_in(function))
        return found.get(statement, ())

    def liveness_of(self, function: gast.AST) -> Liveness:
        found = self.live.get(function)
        if found is None:
            found = self.live[function] = liveness(build_cfg(function))
        return found


def _only(known: Mapping[K, V], left: Container[K]) -> dict[K, V]:
    return {key: value for key, value in known.items() if key in left}


def stored_in(blocks: Sequence[Block], known: dict[Block, frozenset[str]]) -> frozenset[str]:
    """The attributes that blocks set anywhere but in an `__init__`; cached for each block."""
    for block in blocks:
        if block not in known:
            known[block] = frozenset(_stored(block.statements, _IN_EXPRESSION.search(block.text) is not None))
    return frozenset[str]().union(*[known[block] for block in blocks])


def _plainly_bound(block: Block) -> frozenset[str] | None:
    """The names that a block binds if that is visible without analyzing its contents; otherwise None."""
    found: set[str] = set()
    if "global" in block.text or ":=" in block.text:
        return None
    if block.kind == "member":
        return frozenset()
    for statement in block.statements:
        if isinstance(statement, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            found.add(statement.name)
        elif isinstance(statement, (gast.Import, gast.ImportFrom)):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in statement.names)
        elif not isinstance(statement, (gast.Expr, gast.Pass)):
            return None
    return frozenset(found - {"*"})


_IN_EXPRESSION = re.compile(r"for\s+[(\[*]*(?:\w+\s*,\s*[(\[*]*)*\w+\s*\.")
"""A comprehension that sets an attribute has this in its text; no other expression sets one."""


def _stored(statements: Sequence[gast.AST], in_expressions: bool) -> Iterator[str]:
    pending: list[gast.AST] = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Attribute) and isinstance(node.ctx, (gast.Store, gast.Del)):
            yield node.attr
        if isinstance(node, gast.FunctionDef) and node.name == "__init__":
            continue
        if in_expressions:
            pending += children(node)
            continue
        pending += _targets_of(node)
        if not isinstance(node, gast.expr):
            pending += bodies_below(node)


_TARGETS: Mapping[str, str] = {
    **dict.fromkeys(("Assign", "Delete"), "targets"),
    **dict.fromkeys(("AugAssign", "AnnAssign", "For", "AsyncFor"), "target"),
    **dict.fromkeys(("With", "AsyncWith"), "items"),
    **dict.fromkeys(("Tuple", "List"), "elts"),
    "withitem": "optional_vars",
    "Starred": "value",
}
"""The field with what a statement, or part of it, sets."""


def _targets_of(node: gast.AST) -> list[gast.AST]:
    field = _TARGETS.get(kind_of(node))
    held = None if field is None else getattr(node, field, None)
    return nodes_in(held if isinstance(held, list) else [held])


def _loops_in(function: gast.AST) -> Iterator[tuple[gast.AST, tuple[Loop, ...]]]:
    """The branches of a function itself, with the loops around them."""
    pending: list[tuple[gast.AST, tuple[Loop, ...]]] = [(child, ()) for child in children(function)]
    while pending:
        node, around = pending.pop()
        if isinstance(node, gast.If):
            yield node, around
        if not isinstance(node, (gast.expr, gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            inner = (*around, node) if isinstance(node, (gast.For, gast.While)) else around
            pending += [(child, inner) for child in children(node)]
