"""State: what a branch or a loop may change, and how that goes into generated functions and comes out of them.

A local name goes in as a parameter and comes out as a result.
An attribute, a global, or a variable shared with another function is set from its parameter first, so that
all that runs inside sees it, and its value is given back at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast
from graphwright_analysis.flow import build_scopes, total_activity
from graphwright_analysis.flow.tree import FUNCTIONS, kind_of
from graphwright_analysis.syntax.names import Symbol, symbol_of

from graphwright.passes.facts import Facts
from graphwright.passes.unit import walk


@dataclass(frozen=True, slots=True)
class Slot:
    """One piece of state.

    `text` is how it is read and assigned, `parameter` the name under which it goes in, `declare` the word
    (`global`, `nonlocal`) that makes an inner function share it.
    `always` says that it must come out whether or not it is read later.
    `store` is a statement that sets it, where it may not exist and a plain assignment won't do.
    """

    text: str
    parameter: str
    declare: str = ""
    always: bool = False
    store: str = ""
    root: str = ""

    @property
    def target(self) -> str:
        """What a result is assigned to."""
        return self.parameter if self.store else self.text

    @property
    def prologue(self) -> tuple[str, ...]:
        """What a generated function does first."""
        if self.text == self.parameter:
            return ()
        if self.store:
            return (self.store,)
        declaration = (f"{self.declare} {self.text}",) if self.declare else ()
        return (*declaration, f"{self.text} = {self.parameter}")


def written_slots(facts: Facts, nodes: Sequence[gast.AST]) -> list[Slot]:
    """What running some statements may change, in the order in which the function names it."""
    activity = total_activity(nodes)
    names = {symbol.root for symbol in activity.writes | activity.deletes if not symbol.is_composite}
    own = {name for name in names if name in facts.own or name in facts.declared}
    mutated, places = _mutated(facts, nodes, activity, names)
    cells = _cells(facts, nodes, own)
    found: dict[str, Slot] = {}
    for name in own | mutated | cells:
        declare = facts.declared.get(name, "nonlocal" if name in cells else "")
        always = bool(declare) or name in mutated
        parameter = facts.unit.fresh(f"{name}_") if declare else name
        found[name] = Slot(name, parameter, declare, always, root=name)
    taken: set[str] = set()
    for symbol in sorted(places):
        if symbol.root not in own:
            parameter = _parameter(facts, symbol)
            while parameter in taken:
                parameter += "_"
            taken.add(parameter)
            found[str(symbol)] = _place(facts, symbol, parameter)
    return sorted(found.values(), key=lambda slot: (facts.order.get(slot.root, 1 << 20), slot.text))


def _place(facts: Facts, symbol: Symbol, parameter: str) -> Slot:
    """An attribute; one that is never read here may not exist before it is set."""
    if str(symbol) in facts.read_places:
        return Slot(str(symbol), parameter, always=True, root=symbol.root)
    holder, attribute = Symbol(symbol.root, symbol.path[:-1]), symbol.path[-1][1:]
    gw = facts.unit.alias
    text = f'{gw}.get_attribute({holder}, "{attribute}")'
    store = f'{gw}.set_attribute({holder}, "{attribute}", {parameter})'
    return Slot(text, parameter, always=True, store=store, root=symbol.root)


def _mutated(facts: Facts, nodes: Sequence[gast.AST], activity: Any, names: set[str]) -> tuple[set[str], set[Symbol]]:
    """Local names whose objects are changed in place, and attributes that are set."""
    changed: set[Symbol] = {symbol for symbol in activity.writes | activity.deletes if symbol.is_composite}
    mutated: set[Symbol] = set(activity.mutates)
    for node in nodes:
        for part in walk(node, lambda inner: kind_of(inner) not in FUNCTIONS):
            target = _mutated_by_call(facts, part)
            if target is not None:
                mutated.add(target)
    roots: set[str] = set()
    places: set[Symbol] = set()
    for symbol in changed | mutated:
        path = symbol.path
        attributes = next((n for n, part in enumerate(path) if not part.startswith(".")), len(path))
        if attributes:
            places.add(Symbol(symbol.root, path[:attributes]))
        elif symbol.root in facts.own and (path or symbol in mutated):
            roots.add(symbol.root)
    return roots, places


def _mutated_by_call(facts: Facts, node: Any) -> Symbol | None:
    if kind_of(node) != "Call" or kind_of(node.func) != "Attribute":
        return None
    symbol = symbol_of(node.func.value)
    if symbol is None:
        return None
    name = symbol.root
    if symbol.is_composite:
        return symbol if node.func.attr in _LIST_METHODS and all(part.startswith(".") for part in symbol.path) else None
    if node.func.attr in _LIST_METHODS:
        return symbol
    if node.func.attr in _CONTAINER_METHODS and name in facts.containers:
        return symbol
    return symbol if name in facts.objects and name in facts.own else None


def _cells(facts: Facts, nodes: Sequence[gast.AST], written: set[str]) -> set[str]:
    """Variables shared with functions that were defined outside these statements and may run inside them."""
    inside = {part for node in nodes for part in walk(node, lambda inner: kind_of(inner) not in FUNCTIONS)}
    if not any(kind_of(part) == "Call" for part in inside):
        return set()
    named = {part.id for part in inside if kind_of(part) == "Name" and kind_of(part.ctx) == "Load"}
    found: set[str] = set()
    for part in facts.statements:
        if part in inside or kind_of(part) not in FUNCTIONS or part.name not in named:
            continue
        scope = build_scopes(part).of(part)
        found |= scope.mutated_nonlocals & facts.own
        found |= scope.free & facts.own & written
    return found


def _parameter(facts: Facts, symbol: Symbol) -> str:
    name = symbol.path[-1].lstrip("._") or symbol.root
    return facts.unit.fresh(f"{symbol.root}_{name}" if name in facts.unit.names else name)


_LIST_METHODS = frozenset({"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"})
_CONTAINER_METHODS = frozenset({"add", "discard", "update", "setdefault", "popitem"})
