"""Calls of methods that differ by the class of their object: the class says which function is called.

Before:

    for shape in (Circle(r), Square(a)):
        total += shape.area()

After, where the graph decides something in `Circle.area`:

    for shape in (Circle(r), Square(a)):
        total += circle_area(shape) if isinstance(shape, Circle) else shape.area()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gast

from graphwright.eject import harmless
from graphwright.eject.observations import CalledFunction

if TYPE_CHECKING:
    from graphwright.eject.style import TensorFlow
    from graphwright.passes.expressions import ExpressionRenderer


def by_class(read: Any, node: Any, found: Sequence[CalledFunction], names: Sequence[str | None]) -> str | None:
    """The call of one of several methods, by the class of the object; None where the class doesn't say which."""
    style = read.unit.style
    owners = [_owner_of(style, node.func, callee) for callee in found]
    if None in owners or len({*owners}) < len(owners):
        return None
    is_method = found[0].by_attribute
    target = node.func.value if is_method and isinstance(node.func, gast.Attribute) else node.func
    if not harmless.is_repeatable(read, target) or any(each.by_attribute != is_method for each in found):
        return None
    holder = receiver_of(read, target)
    # A class comes before those that it inherits from.
    pairs = sorted(zip(owners, names, strict=True), key=lambda pair: -len(pair[0].__mro__))
    plain = with_arguments(read, node, str(read(node.func)), "")
    calls = [(owner, plain if name is None else with_arguments(read, node, name, holder)) for owner, name in pairs]
    *tested, (last, otherwise) = calls
    if node.func in style.known.seen.mixed:
        tested, otherwise = [*tested, (last, otherwise)], plain
    tests = [f"{text} if isinstance({holder}, {owner.__name__}) else " for owner, text in tested]
    whole = "".join([*tests, otherwise])
    bound = (gast.Assign, gast.AugAssign, gast.Return)
    is_whole = any(isinstance(part, bound) and part.value is node for part in read.facts.statements)
    return whole if is_whole else f"({whole})"


def _owner_of(style: TensorFlow, called: Any, callee: CalledFunction) -> Any:
    """The class that defines a method, if the text reads it by its name; None for any other."""
    if callee.receiver is None or isinstance(callee.receiver, type) or style.observations is None:
        return None
    name = called.attr if callee.by_attribute and isinstance(called, gast.Attribute) else "__call__"
    owner = next((each for each in type(callee.receiver).__mro__ if name in vars(each)), None)
    around = next(iter(style.observations.functions.values())).function.__globals__
    return owner if owner is not None and around.get(owner.__name__) is owner else None


def receiver_of(read: ExpressionRenderer, owner: gast.AST) -> str:
    """The object that a method is called on."""
    if isinstance(owner, gast.Call) and isinstance(owner.func, gast.Name) and owner.func.id == "super":
        return str(read.facts.first_parameter)
    return str(read(owner))


def with_arguments(read: Any, node: gast.Call, name: str, receiver: str) -> str:
    """The call with another function, and what it is bound to as its first argument."""
    unit = read.unit
    end = unit.span(node)[1]
    position = unit.span(node.func)[1]
    opening = unit.text.index("(", position) + 1
    parts = [*node.args, *[keyword.value for keyword in node.keywords]]
    parts.sort(key=lambda part: (part.lineno, part.col_offset))
    first = f"{receiver}, " if receiver and (parts or node.keywords) else receiver
    pieces, position = [name, "(", first], opening
    for part in parts:
        start, part_end = unit.span(part)
        pieces += [unit.original(position, start), read(part)]
        position = part_end
    pieces.append(unit.original(position, end))
    return "".join(pieces)
