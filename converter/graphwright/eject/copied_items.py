"""Refuses to sort or choose objects that are changed or compared by identity later: the graph has new ones of them.

Which statements sort, and how, is decided in `sorting`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.syntax.names import symbol_of
from graphwright_analysis.values.domain import UNKNOWN, Object, Tuple, Value

from graphwright.eject import seeds
from graphwright.eject.bindings import is_none, sides_of
from graphwright.eject.changes import CHANGING
from graphwright.eject.observations import FunctionObservations, StateObject
from graphwright.errors import ConversionError
from graphwright.passes.calls import dotted
from graphwright.passes.unit import parents_in, walk

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.facts import Facts


def check(lowering: Any, call: Any, name: str, element: Value) -> None:
    """Refuse to sort `name` where an element may be changed once there is a copy of it, or compared by identity."""
    kinds, function, style = set(_kinds(element)), lowering.facts.node, lowering.unit.style
    loops = [part for part in walk(function) if isinstance(part, (gast.For, gast.While)) and call in walk(part)]
    again = {part for loop in loops for part in walk(loop)}
    for use in _uses(style, function) if kinds else ():
        held = _held_in(style, function, use)
        is_later = use.node.lineno > call.lineno
        if not held & kinds or not (is_later or use.node in again):
            continue
        if all(_is_new(style, function, owner, set() if is_later else again) for owner in use.owners):
            continue
        raise ConversionError(
            f"`{name}` is sorted by what the graph computes, which makes new objects of its elements, but they are "
            f"changed or compared with `is` {'later' if is_later else 'in the next iteration'}: sort their places "
            "with `tf.argsort`",
            line=call.lineno,
        )


def refuse_choices(style: Any, facts: Facts) -> None:
    """Refuse to have the graph choose an object that others hold, where it or one like it is changed later."""
    constructs = facts.constructs()
    staged = {part for construct in constructs for part in walk(construct)}
    loops = [part for part in walk(facts.node) if isinstance(part, (gast.For, gast.While))]
    uses = [*_uses(style, facts.node)]
    for chosen in _choices(style, facts, constructs):
        kinds = _kinds_of(style, chosen)
        again = {part for loop in loops if chosen in walk(loop) for part in walk(loop)}
        for use in uses if kinds else ():
            later = use.node.lineno > chosen.lineno
            # What staged code changes of its lists and dicts is looked at elsewhere.
            held = _held_in(style, facts.node, use) - ({"list", "dict"} if use.node in staged else set())
            if not held & kinds or not (later or use.node in again):
                continue
            if not all(_is_new(style, facts.node, owner, set() if later else again) for owner in use.owners):
                raise _refusal(chosen)
    for value in _returned(style, facts, staged) if style.known.seen is not None else ():
        kinds = set(_kinds(style.value(value)))
        if any(kinds & found for found in (_changed_in(seen) for seen in style.observations.functions.values())):
            raise _refusal(value)


def _refusal(chosen: Any) -> ConversionError:
    return ConversionError(
        "the graph chooses an object here, so it has a new one, but it or one like it is changed or compared with "
        "`is`: choose an index or tensors instead",
        line=chosen.lineno,
    )


def _returned(style: TensorFlow, facts: Facts, staged: set[Any]) -> Iterator[Any]:
    """The objects, made elsewhere, that a function returns where the graph decides which."""
    returns = [part for part in facts.statements if isinstance(part, gast.Return)]
    if any(part in staged for part in returns):
        values = [part.value for part in returns if isinstance(part.value, gast.Name)]
        yield from (value for value in values if not _is_new(style, facts.node, value, set()))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen in another function, as a style says it."""

    observed: FunctionObservations
    tf: str = "tf"

    def value(self, node: Any) -> Value:
        return self.observed.values.get(node, UNKNOWN)

    def changes_in(self, node: gast.expr) -> None:
        """A called function is looked at by itself."""


def _changed_in(seen: FunctionObservations) -> set[str]:
    """The kinds of the objects that a function changes or compares by identity."""
    node = seen.source.node
    style = _Seen(seen)
    uses = [use for use in _uses(style, node) if not all(_is_new(style, node, each, set()) for each in use.owners)]
    return {kind for use in uses for kind in _held_in(style, node, use)} - {"list", "dict"}


def _held_in(style: Any, function: gast.AST, use: _Use) -> set[str]:
    return {kind for owner in use.owners for kind in _kinds_at(style, function, owner)}


def _choices(style: TensorFlow, facts: Facts, constructs: Sequence[gast.stmt]) -> Iterator[Any]:
    """The expressions of objects that the graph chooses where one of them is held elsewhere."""
    for part in dict.fromkeys(part for construct in constructs for part in walk(construct)):
        for target, value in seeds.assigned_pairs(part):
            is_list = isinstance(value, gast.Name) and style.holds_list(value.id)
            made = _makes(style, value)
            if (not made and not is_list) or (made and _replaces_shared(style, facts, target, value)):
                yield value
    for part in walk(facts.node):
        if isinstance(part, gast.IfExp) and not style.is_python(part.test, facts):
            yield from (each for each in (part.body, part.orelse) if not _makes(style, each))


def _replaces_shared(style: TensorFlow, facts: Facts, target: gast.AST, value: gast.AST) -> bool:
    """Whether what gets a new object in a branch or iteration may hold one before that others hold, too."""
    symbol = symbol_of(target)
    if symbol is None or style.holds_list(str(symbol)):
        return False
    if symbol.path:
        parents = parents_in(facts.node)
        same = [part for part in parents if kind_of(part) == kind_of(target) and symbol_of(part) == symbol]
        return not all(_is_asked(parents, part, style.tf) for part in same if isinstance(part.ctx, gast.Load))
    named = [part for part in walk(facts.node) if isinstance(part, gast.Name) and part.id == symbol.root]
    if any(isinstance(part.ctx, gast.Param) for part in named):
        # What is in lists and dicts is given to a graph, not they themselves.
        return not _kinds_of(style, value) <= {"list", "dict"}
    return not _is_new(style, facts.node, target, set())


@dataclass(frozen=True, slots=True)
class _Use:
    """Where objects are changed, or compared by identity, and the expressions that give them."""

    node: Any
    owners: tuple[Any, ...]


def _uses(style: Any, function: gast.AST) -> Iterator[_Use]:
    for part in walk(function):
        if isinstance(part, gast.Compare) and any(isinstance(each, (gast.Is, gast.IsNot)) for each in part.ops):
            sides = (part.left, *part.comparators)
            yield _Use(part, () if any(map(is_none, sides)) else sides)
        elif isinstance(part, gast.Call) and isinstance(part.func, gast.Attribute) and part.func.attr in CHANGING:
            yield _Use(part, (part.func.value,))
        elif isinstance(part, gast.Call) and style.changes_in(part):
            receiver = [part.func.value] if isinstance(part.func, gast.Attribute) else []
            yield _Use(part, (*receiver, *part.args, *[keyword.value for keyword in part.keywords]))
        elif isinstance(part, (gast.Subscript, gast.Attribute)) and isinstance(part.ctx, gast.Store):
            yield _Use(part, (part.value,))


def _kinds_at(style: TensorFlow, function: Any, owner: Any) -> Iterator[str]:
    """The kinds of the objects that an expression may give; targets of assignments have no values of their own."""
    yield from _kinds(style.value(owner))
    while isinstance(owner, (gast.Subscript, gast.Attribute, gast.Call, gast.Starred)):
        owner = owner.func if isinstance(owner, gast.Call) else owner.value
    for part in walk(function) if isinstance(owner, gast.Name) else ():
        if isinstance(part, gast.Name):
            targets, value = [part], part
        elif isinstance(part, gast.Assign):
            targets, value = part.targets, part.value
        elif isinstance(part, gast.For):
            targets, value = [part.target], part.iter
        else:
            continue
        if any(owner.id == getattr(name, "id", "") for target in targets for name in walk(target)):
            yield from (kind for side in (value, *sides_of(value)) for kind in _kinds(style.value(side)))


def _kinds_of(style: TensorFlow, node: gast.AST) -> set[str]:
    """The kinds of the objects in what an expression gives."""
    return {*_kinds(style.value(node)), *_DISPLAYS.get(kind_of(node), ())}


def _kinds(value: Value) -> Iterator[str]:
    """The kinds of the objects in a value."""
    if isinstance(value, Object):
        yield value.kind
    for item in value.items if isinstance(value, (StateObject, Tuple)) else ():
        yield from _kinds(item)


def _is_new(style: Any, function: gast.AST, owner: gast.AST, again: set[Any]) -> bool:
    """Whether an expression gives an object that is made in the same iteration, or that nothing else holds."""
    if not isinstance(owner, gast.Name):
        return False
    named = [part for part in walk(function) if isinstance(part, gast.Name) and part.id == owner.id]
    stores = [part for part in named if isinstance(part.ctx, gast.Store)]
    parents = parents_in(function)
    bound = [parents[part] for part in stores]
    if not bound or not all(isinstance(each, gast.Assign) and _makes(style, each.value) for each in bound):
        return False
    if all(each in again for each in bound):
        return True
    return all(_is_asked(parents, part, style.tf) for part in named if isinstance(part.ctx, gast.Load))


def _is_asked(parents: Any, name: gast.AST, tf: str) -> bool:
    """Whether a name is read for what is in its object, and not to hold the object elsewhere."""
    parent = parents[name]
    if isinstance(parent, gast.Call):
        called = dotted(parent.func) or ""
        return called.startswith(f"{tf}.") or called in ("len", "sorted", "enumerate", "sum", "max", "min")
    return isinstance(parent, (gast.Attribute, gast.Subscript, gast.For, gast.comprehension, gast.Return))


def _makes(style: TensorFlow, node: gast.AST) -> bool:
    """Whether an expression makes an object."""
    if not isinstance(node, gast.Call):
        return kind_of(node) in _DISPLAYS
    name = (dotted(node.func) or "").rpartition(".")[2]
    return name in ("list", "dict", "set", "sorted", "deque", "copy") or name == getattr(style.value(node), "kind", "")


_DISPLAYS = {f"{kind}{rest}": (kind.lower(),) for kind in ("List", "Dict", "Set") for rest in ("", "Comp")}
"""The kinds of the objects that displays make."""
