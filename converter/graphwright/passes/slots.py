"""What a branch or a loop may change, and which of it goes into generated functions and comes out of them.

How one piece of it does so is in `state`.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import gast
from graphwright_analysis.syntax.names import Symbol

from graphwright.passes.closures import LocalClosure
from graphwright.passes.effects import Effects, effects_of
from graphwright.passes.facts import Facts
from graphwright.passes.jumps import is_set_first, jumps_out
from graphwright.passes.state import Slot
from graphwright.passes.unit import mangled


def written_slots(facts: Facts, nodes: Sequence[gast.AST]) -> Sequence[Slot]:
    """What running some statements may change, in the order in which the function names it."""
    # The names of parameters depend on those that the function has by now.
    return facts.once(_find_slots, tuple(nodes), len(facts.unit.names))


def _find_slots(facts: Facts, nodes: Sequence[gast.AST], _: int) -> Sequence[Slot]:
    effects = [facts.once(effects_of, node) for node in nodes]
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
    effects = [facts.once(effects_of, node) for node in statements]
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
