"""Functions, lambdas and methods that are made inside a function and share its variables.

Tells which of its variables each of them reads and sets, and whether it may be called after the statements in which it
was made; what follows for generated code isn't decided here.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import gast
from graphwright_analysis.flow import Graph, Node, activities, closure_reads, closure_writes
from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS, children
from graphwright_analysis.syntax.names import symbol_of

from graphwright.passes.definitions import is_generator
from graphwright.passes.unit import walk

CLOSURES = (*FUNCTIONS, gast.Lambda, gast.ClassDef, gast.GeneratorExp)


@dataclass(frozen=True, slots=True, eq=False)
class LocalClosure:
    """One that is made by `node`: `name` is what it is called by, where that is all that is done with it.

    `kept` says that something else may hold it, and call it at any time.
    Of the variables in `named`, which it mentions, those that it may find changed are in `reads`.
    """

    node: gast.AST
    name: str
    named: frozenset[str]
    reads: frozenset[str]
    writes: frozenset[str]
    kept: bool


def closures_in(parts: Iterable[Any], own: frozenset[str], library: frozenset[str]) -> list[LocalClosure]:
    """Those among the parts of a function that share some of its `own` variables."""
    parts = list(parts)
    makers = [part for part in parts if isinstance(part, CLOSURES)]
    if not makers:
        return []
    parents = {child: part for part in parts if not isinstance(part, FUNCTIONS) for child in children(part)}
    passed_on = {
        part.id
        for part in parts
        if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load) and _is_kept(part, parents, library)
    }
    found: list[LocalClosure] = []
    for maker in makers:
        reads = _names_in(maker) & own if isinstance(maker, gast.GeneratorExp) else closure_reads(maker) & own
        writes = (
            frozenset[str]() if isinstance(maker, (gast.Lambda, gast.GeneratorExp)) else closure_writes(maker) & own
        )
        if not reads and not writes:
            continue
        name = getattr(maker, "name", "") or _assigned_name(maker, parents)
        if isinstance(maker, FUNCTIONS):
            kept = name in passed_on or any(not _is_library(each, library) for each in maker.decorator_list)
            # What a generator function gives runs whenever somebody goes on with it.
            kept = kept or is_generator(maker)
        elif isinstance(maker, gast.ClassDef):
            kept = True
        else:
            kept = name in passed_on if name else _is_kept(maker, parents, library)
        found.append(LocalClosure(maker, name, reads, reads, writes, kept))
    return found


def sharing(graph: Graph, closures: list[LocalClosure]) -> list[LocalClosure]:
    """Those whose variables may get other values after they were made; `reads` is left with these variables."""
    if not closures:
        return []
    wanted = {closure.node for closure in closures}
    made_at: dict[gast.AST, list[Node]] = {}
    for node in graph.nodes:
        if node.statement is not None and node.kind != "entry":
            for part in walk(node.statement, lambda part: not isinstance(part, CLOSURES)):
                if part in wanted:
                    made_at.setdefault(part, []).append(node)
    set_inside = frozenset[str]().union(*[closure.writes for closure in closures])
    found = [
        replace(each, reads=each.reads & (_set_from(graph, made_at.get(each.node, [])) | set_inside))
        for each in closures
    ]
    # One that only calls another is of interest where that other one is.
    return found if any(closure.reads or closure.writes for closure in found) else []


def _set_from(graph: Graph, nodes: list[Node]) -> frozenset[str]:
    """The names that may be set at nodes or after them."""
    effects = activities(graph)
    reached = set(nodes)
    waiting = list(nodes)
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        found |= {symbol.root for symbol in effects[node.index].writes if not symbol.is_composite}
        new = [after for after in node.successors if after not in reached]
        reached.update(new)
        waiting += new
    return frozenset(found)


def _names_in(generator: gast.GeneratorExp) -> frozenset[str]:
    """What a generator expression reads when it is used up, all but what it runs over."""
    first = generator.generators[0].iter
    parts = [part for part in walk(generator, lambda part: part is not first) if part is not first]
    names = [part for part in parts if isinstance(part, gast.Name)]
    targets = {name.id for name in names if isinstance(name.ctx, gast.Store)}
    return frozenset(name.id for name in names if isinstance(name.ctx, gast.Load)) - targets


def _assigned_name(maker: gast.AST, parents: dict[Any, Any]) -> str:
    """The one name that a lambda is assigned to."""
    parent: Any = parents.get(maker)
    if isinstance(parent, gast.AnnAssign):
        return getattr(parent.target, "id", "")
    if not isinstance(parent, gast.Assign) or parent.value is not maker or len(parent.targets) != 1:
        return ""
    return getattr(parent.targets[0], "id", "")


def _is_kept(node: gast.AST, parents: dict[Any, Any], library: frozenset[str]) -> bool:
    """Whether what an expression gives may be held by something other than a name, and called later."""
    parent = parents.get(node)
    if parent is None:
        return True
    if isinstance(parent, _PASSING_ON):
        return _is_kept(parent, parents, library)
    if isinstance(parent, gast.Call):
        if parent.func is node:
            return False
        return not _is_library(parent.func, library) and not _is_at_once(node, parent)
    # What is returned leaves a function whose variables don't change any more.
    return isinstance(parent, _KEEPING)


def _is_at_once(node: gast.AST, call: gast.Call) -> bool:
    """A generator expression that is given to a function is mostly used up there, but not by a list that takes it."""
    if not isinstance(node, gast.GeneratorExp):
        return False
    return not isinstance(call.func, gast.Attribute) or call.func.attr not in _STORING


def _is_library(function: gast.AST, library: frozenset[str]) -> bool:
    """Whether a function is a library's that calls what it is given at once; an object of a class may keep it."""
    symbol = symbol_of(function)
    if symbol is None or symbol.root in _LAZY or str(symbol).rpartition(".")[2][:1].isupper():
        return False
    return symbol.root in library or (not symbol.is_composite and hasattr(builtins, symbol.root))


_PASSING_ON = (
    *COMPREHENSIONS,
    gast.BoolOp,
    gast.Dict,
    gast.IfExp,
    gast.List,
    gast.NamedExpr,
    gast.Set,
    gast.Starred,
    gast.Tuple,
    gast.keyword,
)
_KEEPING = (gast.AnnAssign, gast.Assign, gast.AugAssign, gast.For, gast.Yield)
_LAZY = frozenset({"enumerate", "filter", "functools", "iter", "itertools", "map", "reversed", "zip"})
"""Builtins, and modules of Python's library, that call what they are given when somebody asks for the next element."""
_STORING = frozenset({"append", "insert", "add", "setdefault"})
