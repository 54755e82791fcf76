"""Names that have no value on some way to a construct that has to carry them, and where generated code says so first.

How such a name is written is in `operators` and `blocks`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import gast

from graphwright.passes.exits import ExitFrame, Jump
from graphwright.passes.facts import CONSTRUCTS, LOOPS, Facts
from graphwright.passes.jumps import blocks_of, is_set_first
from graphwright.passes.slots import written_slots


def note_undefined(facts: Facts) -> None:
    """Add to the facts of a function, not of a lambda, which of its names may be undefined, and from where on."""
    facts.undefinable = _undefinable(facts)
    facts.deleted = _deleted_names(facts.statements)
    _place(facts)


def undefined_at(facts: Facts, node: gast.AST) -> list[str]:
    """Names that operators are given at a statement or after it, and that may have no value there."""
    found = (name for name in facts.undefinable if name in facts.deleted or facts.is_perhaps_undefined(node, name))
    return sorted(found, key=lambda name: facts.order.get(name, 0))


def taken_by(facts: Facts, construct: gast.AST) -> frozenset[str]:
    """The names of the function whose values go into a construct."""
    taken = facts.live_in(construct) & facts.own
    if isinstance(construct, LOOPS):
        # What its first turn sets goes in, too: a loop carries all that is read after it.
        taken |= facts.live_out(construct) & _set_in(facts, construct)
    return taken


def unset_in(facts: Facts, statements: Sequence[gast.stmt], parameters: Collection[str]) -> list[str]:
    """Names that a loop carries out of a generated function's statements, and that nothing in it has set before.

    The user's function may have set them, but a name that is surely set again isn't a parameter.
    """
    written = {slot.text for slot in written_slots(facts, statements) if slot.is_local and not slot.place}
    found = [
        name
        for number, statement in enumerate(statements)
        for loop in _loops_of(facts, statement)
        for name in sorted(facts.live_out(loop) & _set_in(facts, loop) & written)
        if name not in parameters and not is_set_first(statements[:number], name)
    ]
    return list(dict.fromkeys(found))


def without_value(facts: Facts, frame: ExitFrame, node: gast.AST, jump: Jump) -> frozenset[str]:
    """The results of a branch that have no value if a jump is taken, or that nobody reads then.

    The node is the jump itself, or a construct that has reported it.
    """
    if frame.kind != "branch":
        return frozenset()
    jumping = facts.below(node)
    unset = {name for name in frame.results if facts.is_perhaps_undefined(node, name)} - _set_in(facts, node)
    if jump == "return":
        returns = [part for part in jumping if isinstance(part, gast.Return)]
        read_finally = frozenset[str]().union(*(facts.live_out(part) for part in returns))
        unset |= set(frame.results) - frame.parameters - facts.declared.keys() - read_finally
    return frozenset(unset & facts.own - facts.undefinable)


def _loops_of(facts: Facts, statement: gast.AST) -> list[Any]:
    """The loops in a statement that become calls in the same function."""
    if isinstance(statement, (gast.If, *LOOPS)) and not facts.is_native(statement):
        return [statement] if isinstance(statement, LOOPS) else []
    if not isinstance(statement, _COMPOUND):
        return []
    return [loop for block in blocks_of(statement) for part in block for loop in _loops_of(facts, part)]


_COMPOUND = (*LOOPS, gast.If, gast.With, gast.Try, gast.TryStar, gast.Match)


def _deleted_names(parts: Iterable[Any]) -> frozenset[str]:
    """The names that are unbound somewhere, by `del` or at the end of an `except`."""
    caught = {part.name.id for part in parts if isinstance(part, gast.ExceptHandler) and part.name is not None}
    return frozenset(
        caught | {part.id for part in parts if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Del)}
    )


def _undefinable(facts: Facts) -> frozenset[str]:
    """Names that have no value on some way to a construct that has to carry them."""
    carried: set[str] = set()
    for construct in facts.constructs():
        for name in taken_by(facts, construct) | _shared_in(facts, construct):
            if facts.is_perhaps_undefined(construct, name):
                carried.add(name)
    return frozenset(carried)


def _place(facts: Facts) -> None:
    """Where names are first said to have no value: in front of what first carries them, or at the start."""
    at_start: list[str] = []
    for name in sorted(facts.undefinable, key=lambda name: facts.order.get(name, 0)):
        carrier = next((part for part in facts.node.body if _carries(facts, part) and _takes(facts, part, name)), None)
        if carrier is not None and facts.is_undefined(carrier, name):
            facts.undefined_before.setdefault(carrier, []).append(name)
        elif name not in facts.parameters:
            at_start.append(name)
    facts.undefined_at_start = tuple(at_start)


def _takes(facts: Facts, statement: gast.AST, name: str) -> bool:
    """Whether a statement, with what is in it, is given a name's value."""
    if name in facts.live_in(statement):
        return True
    constructs = [part for part in facts.below(statement) if isinstance(part, CONSTRUCTS)]
    return any(
        (isinstance(part, LOOPS) and name in _set_in(facts, part)) or name in _shared_in(facts, part)
        for part in constructs
    )


def _carries(facts: Facts, statement: gast.AST) -> bool:
    return any(isinstance(part, CONSTRUCTS) and not facts.is_native(part) for part in facts.below(statement))


def _set_in(facts: Facts, construct: gast.AST) -> set[str]:
    return {
        part.id
        for part in facts.below(construct)
        if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Store) and part.id in facts.own
    }


def _shared_in(facts: Facts, construct: gast.AST) -> set[str]:
    """Names that a construct sets and shares with functions that are made elsewhere, read before or not."""
    if not facts.closures:
        return set()
    slots = [slot for statements in facts.parts_generated(construct) for slot in written_slots(facts, statements)]
    return {slot.text for slot in slots if slot.declare == "nonlocal"}
