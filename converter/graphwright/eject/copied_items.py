"""Refuses to sort objects that are changed or compared by identity later: the graph makes new ones of their parts.

Which statements sort, and how, is decided in `sorting`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphwright_analysis.flow.tree import children, kind_of
from graphwright_analysis.values.domain import Object, Tuple, Value

from graphwright.eject.changes import CHANGING
from graphwright.eject.flags import is_none
from graphwright.eject.observations import StateObject
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk


def check(lowering: Any, call: Any, name: str, element: Value) -> None:
    """Refuse to sort `name` where an element may be changed once there is a copy of it, or compared by identity."""
    kinds, function, style = set(_kinds(element)), lowering.facts.node, lowering.unit.style
    loops = [part for part in walk(function) if kind_of(part) in ("For", "While") and call in walk(part)]
    again = {part for loop in loops for part in walk(loop)}
    for use in _uses(style, function) if kinds else ():
        held = {kind for owner in use.owners for kind in _kinds_at(style, function, owner)}
        is_later = use.node.lineno > call.lineno
        if not held & kinds or not (is_later or use.node in again):
            continue
        if all(_is_new(function, owner, set() if is_later else again) for owner in use.owners):
            continue
        raise ConversionError(
            f"`{name}` is sorted by what the graph computes, which makes new objects of its elements, but they are "
            f"changed or compared with `is` {'later' if is_later else 'in the next iteration'}: sort their places "
            "with `tf.argsort`",
            line=call.lineno,
        )


@dataclass(frozen=True, slots=True)
class _Use:
    """Where objects are changed, or compared by identity, and the expressions that give them."""

    node: Any
    owners: tuple[Any, ...]


def _uses(style: Any, function: Any) -> Iterator[_Use]:
    for part in walk(function):
        kind = kind_of(part)
        if kind == "Compare" and {"Is", "IsNot"} & set(map(kind_of, part.ops)):
            sides = (part.left, *part.comparators)
            yield _Use(part, () if any(map(is_none, sides)) else sides)
        elif kind == "Call" and getattr(part.func, "attr", "") in CHANGING:
            yield _Use(part, (part.func.value,))
        elif kind == "Call" and style.changes_in(part):
            receiver = [part.func.value] if kind_of(part.func) == "Attribute" else []
            yield _Use(part, (*receiver, *part.args, *[keyword.value for keyword in part.keywords]))
        elif kind in ("Subscript", "Attribute") and kind_of(part.ctx) == "Store":
            yield _Use(part, (part.value,))


def _kinds_at(style: Any, function: Any, owner: Any) -> Iterator[str]:
    """The kinds of the objects that an expression may give; targets of assignments have no values of their own."""
    yield from _kinds(style.value(owner))
    while kind_of(owner) in ("Subscript", "Attribute", "Call", "Starred"):
        owner = owner.func if kind_of(owner) == "Call" else owner.value
    for part in walk(function) if kind_of(owner) == "Name" else ():
        if kind_of(part) == "Name" and part.id == owner.id:
            yield from _kinds(style.value(part))
        targets = part.targets if kind_of(part) == "Assign" else [part.target] if kind_of(part) == "For" else []
        if any(owner.id == getattr(name, "id", "") for target in targets for name in walk(target)):
            yield from _kinds(style.value(part.iter if kind_of(part) == "For" else part.value))


def _kinds(value: Value) -> Iterator[str]:
    """The kinds of the objects in a value."""
    if isinstance(value, Object):
        yield value.kind
    for item in value.items if isinstance(value, (StateObject, Tuple)) else ():
        yield from _kinds(item)


def _is_new(function: Any, owner: Any, again: set[Any]) -> bool:
    """Whether an expression gives an object that is made in the same iteration, or that nothing else holds."""
    if kind_of(owner) != "Name":
        return False
    named = [part for part in walk(function) if kind_of(part) == "Name" and part.id == owner.id]
    stores = [part for part in named if kind_of(part.ctx) == "Store"]
    parents = {child: parent for parent in walk(function) for child in children(parent)}
    bound = [parents[part] for part in stores]
    if not bound or any(kind_of(each) != "Assign" or kind_of(each.value) not in _MAKING for each in bound):
        return False
    if all(each in again for each in bound):
        return True
    return all(_is_asked(parents, part) for part in named if kind_of(part.ctx) == "Load")


def _is_asked(parents: Any, name: Any) -> bool:
    """Whether a name is read for what is in its object, and not to hold the object elsewhere."""
    parent = parents[name]
    if kind_of(parent) == "Call":
        return name is not parent.func and dotted(parent.func) in ("len", "sorted", "enumerate", "sum", "max", "min")
    return kind_of(parent) in ("Attribute", "Subscript", "For", "comprehension", "Return")


_MAKING = frozenset({"List", "ListComp", "Dict", "DictComp", "Set", "SetComp", "Call"})
"""Expressions that make an object."""
