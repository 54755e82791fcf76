"""What a statement does, with all that is in it; from this follows what a construct carries, see `slots`."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast
from graphwright_analysis.flow import total_activity
from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS, children, defaults_of, parameters_of
from graphwright_analysis.syntax.names import Symbol, symbol_of

from graphwright.passes.closures import CLOSURES
from graphwright.passes.facts import CONSTRUCTS, Facts
from graphwright.passes.unit import walk


@dataclass(frozen=True, slots=True)
class Effects:
    """What a statement does, with all that is in it: names it binds, symbols it changes, what it calls and reads."""

    bound: frozenset[str]
    changed: frozenset[Symbol]
    mutated: frozenset[Symbol]
    calls: bool
    named: frozenset[str]
    defined: frozenset[gast.AST]

    def __or__(self, other: Effects) -> Effects:
        return Effects(
            self.bound | other.bound,
            self.changed | other.changed,
            self.mutated | other.mutated,
            self.calls or other.calls,
            self.named | other.named,
            self.defined | other.defined,
        )


def effects_of(facts: Facts, node: gast.AST) -> Effects:
    """What running a statement, or evaluating an expression, may do. `Facts.once` remembers it."""
    if not isinstance(node, CONSTRUCTS):
        return _effects_of_simple(facts, node)
    # What is in it is asked about as well.
    return functools.reduce(Effects.__or__, [facts.once(effects_of, part) for part in children(node)])


def _effects_of_simple(facts: Facts, node: gast.AST) -> Effects:
    activity = total_activity([node])
    written = activity.writes | activity.deletes
    mutated: set[Symbol] = set(activity.mutates)
    calls = False
    named: set[str] = set()
    defined: set[gast.AST] = set()
    for part, hidden in _parts(node):
        if isinstance(part, gast.Call):
            calls = True
            told = facts.unit.style.changed_in_call(part)
            targets = [_mutated_by_call(facts, part)] if told is None else told
            mutated |= {target for target in targets if target is not None and target.root not in hidden}
        elif isinstance(part, gast.Expr):
            mutated |= _given_lists(facts, part.value)
        elif isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load):
            named.add(part.id)
        if isinstance(part, CLOSURES):
            defined.add(part)
    return Effects(
        frozenset(symbol.root for symbol in written if not symbol.is_composite),
        frozenset(symbol for symbol in written if symbol.is_composite),
        frozenset(mutated),
        calls,
        frozenset(named),
        frozenset(defined),
    )


def _parts(statement: gast.AST) -> Iterator[tuple[Any, frozenset[str]]]:
    """What runs with a statement, each part with the names that comprehensions and lambdas around it keep."""
    outside: dict[gast.AST, frozenset[str]] = {}
    stack: list[tuple[Any, frozenset[str]]] = [(statement, frozenset())]
    while stack:
        part, hidden = stack.pop()
        hidden = outside.get(part, hidden)
        yield part, hidden
        if isinstance(part, FUNCTIONS):
            continue
        own = hidden
        if isinstance(part, gast.Lambda):
            outside.update(dict.fromkeys(defaults_of(part), hidden))
            own = hidden | {parameter.id for parameter in parameters_of(part)}
        elif isinstance(part, COMPREHENSIONS):
            outside[part.generators[0].iter] = hidden
            targets = [name for generator in part.generators for name in walk(generator.target)]
            own = hidden | {
                name.id for name in targets if isinstance(name, gast.Name) and isinstance(name.ctx, gast.Store)
            }
        stack += [(child, own) for child in children(part)]


def _mutated_by_call(facts: Facts, node: gast.AST) -> Symbol | None:
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
        return None
    symbol = symbol_of(node.func.value)
    if symbol is None:
        return None
    name = symbol.root
    if symbol.is_composite and not symbol.path[0].startswith("."):
        in_place = node.func.attr in LIST_METHODS and name in facts.containers and name in facts.own
        return Symbol(name, ()) if in_place else None
    if symbol.is_composite:
        return symbol if node.func.attr in LIST_METHODS and all(part.startswith(".") for part in symbol.path) else None
    if node.func.attr in LIST_METHODS:
        return symbol
    if node.func.attr in CONTAINER_METHODS and name in facts.containers:
        return symbol
    return symbol if name in facts.objects and name in facts.own else None


def _given_lists(facts: Facts, node: gast.AST) -> set[Symbol]:
    """Lists that a function of the user's is given for no result: it is called to change them."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, (gast.Name, gast.Attribute)):
        return set()
    root = symbol_of(node.func)
    if root is None or root.root in facts.unit.library or (not root.is_composite and root.root in dir(builtins)):
        return set()
    names = [part.id for part in node.args if isinstance(part, gast.Name)]
    return {Symbol(name, ()) for name in names if name in facts.lists and name in facts.own}


LIST_METHODS = frozenset(
    {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "appendleft", "extendleft", "popleft"}
)
CONTAINER_METHODS = frozenset({"add", "discard", "update", "setdefault", "popitem", "rotate"})
