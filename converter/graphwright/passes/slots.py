"""What a branch or a loop may change, and which of it goes into generated functions and comes out of them.

How one piece of it does so is in `state`.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

import gast
from graphwright_analysis.flow import total_activity
from graphwright_analysis.flow.tree import COMPREHENSIONS, FUNCTIONS, children, defaults_of, parameters_of
from graphwright_analysis.syntax.names import Symbol, symbol_of

from graphwright.passes.closures import CLOSURES, LocalClosure
from graphwright.passes.facts import CONSTRUCTS, Facts
from graphwright.passes.jumps import is_set_first, jumps_out
from graphwright.passes.state import Slot
from graphwright.passes.unit import mangled, walk


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


def written_slots(facts: Facts, nodes: Sequence[gast.AST]) -> Sequence[Slot]:
    """What running some statements may change, in the order in which the function names it."""
    # The names of parameters depend on those that the function has by now.
    return facts.once(_find_slots, tuple(nodes), len(facts.unit.names))


def _find_slots(facts: Facts, nodes: Sequence[gast.AST], _: int) -> Sequence[Slot]:
    effects = [facts.once(_effects, node) for node in nodes]
    bound = frozenset[str]().union(*[effect.bound for effect in effects])
    own = {name for name in bound if name in facts.own or name in facts.declared}
    mutated, places = _mutated(facts, effects)
    cells = _cells(facts, effects, own)
    found: dict[str, Slot] = {}
    for name in own | mutated | cells:
        declare = facts.declared.get(name, "nonlocal" if name in cells else "")
        always = bool(declare) or name in mutated
        parameter = facts.unit.fresh(f"{name}_") if declare else name
        place = facts.unit.style.variable(facts.unit.alias, name) if declare else ""
        found[name] = Slot(name, parameter, declare, always, place, root=name)
    taken: set[str] = set()
    for symbol in sorted(places):
        if symbol.root not in own:
            parameter = _parameter(facts, symbol)
            while parameter in taken:
                parameter += "_"
            taken.add(parameter)
            found[str(symbol)] = _place(facts, symbol, parameter)
    return tuple(sorted(found.values(), key=lambda slot: (facts.order.get(slot.root, 1 << 20), slot.text)))


def going_in(facts: Facts, slots: Sequence[Slot], at: gast.AST | None, read: Set[str]) -> list[Slot]:
    """What statements are given: names that they may read as they are before (`read`), and all other places.

    A name that has no value at their beginning, `at`, is nothing to give.
    """
    return [
        slot
        for slot in slots
        if not slot.place
        and (
            (slot.always and not slot.is_local)
            or (slot.text in read and not (at is not None and facts.is_never_defined(at, slot.text)))
        )
    ]


def coming_out(slots: Sequence[Slot], live: Set[str], given: Sequence[Slot]) -> list[Slot]:
    """What statements give back: what is read after them (`live`), and what others may see that was `given`."""
    return [slot for slot in slots if not slot.place and (slot.text in live or (slot.always and slot in given))]


def declarations(facts: Facts, nodes: Sequence[gast.AST]) -> list[str]:
    """What a generated function says first, so that it shares the variables among the places that nodes set."""
    return [f"{slot.declare} {slot.root}" for slot in written_slots(facts, nodes) if slot.place and slot.declare]


def kept_by_jumps(facts: Facts, statements: Sequence[gast.AST], given_back: Sequence[str]) -> set[str]:
    """Names that statements set, but a jump out of them may give back as they were before, read by nobody or not."""
    if not given_back or not jumps_out(statements):
        return set()
    written = {slot.text for slot in written_slots(facts, statements)}
    return {
        name
        for name in written.intersection(given_back)
        if not is_set_first(statements, name) and not facts.is_perhaps_undefined(statements[0], name)
    }


def _effects(facts: Facts, node: gast.AST) -> Effects:
    if not isinstance(node, CONSTRUCTS):
        return _effects_of_simple(facts, node)
    # What is in it is asked about as well.
    return functools.reduce(Effects.__or__, [facts.once(_effects, part) for part in children(node)])


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


def _place(facts: Facts, symbol: Symbol, parameter: str) -> Slot:
    """An attribute, or what else a style carries by itself."""
    symbol = _mangled(facts, symbol)
    holder, attribute = Symbol(symbol.root, symbol.path[:-1]), symbol.path[-1][1:]
    place = facts.unit.style.attribute(facts.unit, str(holder), attribute)
    return Slot(facts.unit.style.spelled(symbol), parameter, always=True, place=place, root=symbol.root)


def _mangled(facts: Facts, symbol: Symbol) -> Symbol:
    """The symbol with private names as Python stores them."""
    path = (part[:1] + (mangled(facts.unit.class_name, part[1:]) or part[1:]) for part in symbol.path)
    return Symbol(symbol.root, tuple(path))


def _mutated(facts: Facts, effects: Sequence[Effects]) -> tuple[set[str], set[Symbol]]:
    """Local names whose objects are changed in place, and attributes that are set."""
    roots: set[str] = set()
    places: set[Symbol] = set()
    for effect in effects:
        for symbol in effect.changed | effect.mutated:
            path = symbol.path
            attributes = facts.unit.style.carried_length(facts, symbol)
            if attributes:
                places.add(Symbol(symbol.root, path[:attributes]))
            elif symbol.root in facts.own and (path or symbol in effect.mutated):
                roots.add(symbol.root)
    return roots, places


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


def _cells(facts: Facts, effects: Sequence[Effects], written: set[str]) -> set[str]:
    """Variables that statements share with functions which run inside them, or run after them but were made there.

    Such a function must find in a variable what was assigned to it last, so that it can't be one of a generated
    function's own.
    """
    if not facts.closures:
        return set()
    if facts.shared is None:
        facts.shared = frozenset()
        for statements in facts.generated_from():
            facts.shared |= _shared(facts, statements)
    found = facts.shared & written
    for closure in _called_in(facts, effects):
        found |= closure.writes
    return set(found)


def _shared(facts: Facts, statements: Sequence[gast.AST]) -> set[str]:
    """The variables that statements set and share with functions."""
    effects = [facts.once(_effects, node) for node in statements]
    written = facts.own & frozenset[str]().union(*[effect.bound for effect in effects])
    found: set[str] = set()
    for closure in _called_in(facts, effects):
        found |= closure.reads & written
    inside = frozenset[gast.AST]().union(*[effect.defined for effect in effects])
    for closure in facts.closures:
        if closure.node in inside and (closure.kept or facts.is_named_outside(closure.name, statements)):
            found |= closure.reads & written
    return found


def _called_in(facts: Facts, effects: Sequence[Effects]) -> list[LocalClosure]:
    """The functions that were made elsewhere and may run in statements."""
    inside = frozenset[gast.AST]().union(*[effect.defined for effect in effects])
    named = frozenset[str]().union(*[effect.named for effect in effects])
    elsewhere = [closure for closure in facts.closures if closure.node not in inside]
    # Without a call it is only what somebody else holds that may run: an iterator does when it is asked.
    waiting = elsewhere if any(effect.calls for effect in effects) else [each for each in elsewhere if each.kept]
    called: list[LocalClosure] = []
    while True:
        more = [closure for closure in waiting if closure.kept or closure.name in named]
        if not more:
            return called
        called += more
        named = named.union(*[closure.named for closure in more])
        waiting = [closure for closure in waiting if closure not in more]


def _parameter(facts: Facts, symbol: Symbol) -> str:
    name = facts.unit.style.parameter_name(symbol.path) or symbol.root
    return facts.unit.fresh(f"{symbol.root}_{name}" if name in facts.unit.names else name)


LIST_METHODS = frozenset({"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse"})
CONTAINER_METHODS = frozenset({"add", "discard", "update", "setdefault", "popitem"})
