"""Statements without control flow of their own.

Before:

    assert x > 0, "too small"

After:

    gw.assert_(x > 0, lambda: "too small")

`del y` is `y = gw.undefined("y")` where `y` is part of a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import kind_of

from graphwright.passes import calls, items, unpacking
from graphwright.passes.exits import ExitFrame, Jump
from graphwright.passes.slots import written_slots
from graphwright.passes.undefined import without_value
from graphwright.passes.unit import as_alone

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.unit import Unit


def statement(lowering: Lowering, node: gast.AST) -> bool:
    """Write a simple statement; True if control doesn't go on after it."""
    handler = _HANDLERS.get(kind_of(node))
    if handler is not None:
        return handler(lowering, node)
    rendered(lowering, node)
    return False


def rendered(lowering: Lowering, node: gast.AST, text: str | None = None) -> None:
    """A statement with its expressions rendered, and the comment after it."""
    lowering.line((text or lowering.read(node)(node)) + _comment_behind(lowering.unit, node), node)


def verbatim(lowering: Any, node: Any) -> None:
    """A statement exactly as it was written."""
    unit = lowering.unit
    first = min([node, *node.decorator_list], key=lambda part: part.lineno)
    start = unit.lines.starts[first.lineno - 1] + unit.indent_of(node)
    lowering.writer.add(unit.original(start, unit.span(node)[1]), first.lineno, unit.indent_of(node))


def _comment_behind(unit: Unit, node: gast.AST) -> str:
    if node in unit.templates:
        return ""
    end = unit.span(node)[1]
    line_end = unit.text.find("\n", end)
    tail = unit.text[end : line_end if line_end >= 0 else len(unit.text)].rstrip()
    return tail if tail.lstrip().startswith("#") else ""


def _return(lowering: Any, node: Any) -> bool:
    frame: ExitFrame = lowering.frame
    told = lowering.place.telling("return") if lowering.place is not None else ""
    if told:
        value = "None" if node.value is None else as_alone(lowering.read(node)(node.value), node.value)
        lowering.line(f"{told}{lowering.gw}.returned({value})", node)
        rendered(lowering, node, f"return {told.split(' ')[0]}.value")
        return True
    if node.value is None:
        if frame.kind == "function" and not frame.extra:
            rendered(lowering, node, "return")
        else:
            lowering.line(f"return {_left(lowering, node, 'return', frame.given('None'))}", node)
        return True
    if frame.kind == "function" and not frame.extra:
        rendered(lowering, node)
        return True
    value = as_alone(lowering.read(node)(node.value), node.value)
    if "(" in value and any(map(lowering.facts.is_shared, (*frame.extra, *frame.results))):
        # What is called may set what is given back beside its value.
        outcome = lowering.unit.fresh("outcome")
        lowering.line(f"{outcome} = {value}", node)
        value = outcome
    lowering.line(
        f"return {_left(lowering, node, 'return', frame.given(value))}" + _comment_behind(lowering.unit, node), node
    )
    return True


def _left(lowering: Lowering, node: gast.AST, jump: Jump, value: str = "") -> str:
    """What is given back when a jump is taken; what has no value then is nobody's concern."""
    frame: ExitFrame = lowering.frame
    return frame.without(without_value(lowering.facts, frame, node, jump)).leaving(jump, value)


def _jump(lowering: Lowering, node: gast.AST) -> bool:
    word: Any = kind_of(node).lower()
    if lowering.place is not None and (told := lowering.place.telling(word)):
        lowering.line(f"{told}True", node)
    if lowering.frame.in_native_loop:
        rendered(lowering, node, word)
    else:
        lowering.line(f"return {_left(lowering, node, word)}", node)
    return True


def _raise(lowering: Any, node: Any) -> bool:
    may_be_later = lowering.place is not None and not lowering.place.caught
    if node.exc is None or not (lowering.nested or may_be_later):
        rendered(lowering, node)
        return True
    read = lowering.read(node)
    text = f"return {lowering.gw}.raise_({', '.join(read(part) for part in (node.exc, node.cause) if part)})"
    if may_be_later:
        lowering.line(f"if {lowering.gw}.raises_later(): {text}", node)
    rendered(lowering, node, None if may_be_later else text)
    return True


def _assert(lowering: Any, node: Any) -> bool:
    read = lowering.read(node)
    message = f", lambda: {as_alone(read.inside()(node.msg), node.msg)}" if node.msg is not None else ""
    rendered(lowering, node, f"{lowering.gw}.assert_({read(node.test)}{message})")
    return False


def _annotated(lowering: Any, node: Any) -> bool:
    """A name that a generated function shares with those around can't be annotated there; Python ignores it anyway."""
    slots = written_slots(lowering.facts, [node]) if lowering.nested and isinstance(node.target, gast.Name) else ()
    if any(slot.declare and slot.text == node.target.id for slot in slots):
        value = node.value and as_alone(lowering.read(node)(node.value), node.value)
        rendered(lowering, node, f"{node.target.id} = {value}" if value else "pass")
    else:
        rendered(lowering, node)
    return False


def _declaration(lowering: Lowering, node: gast.AST) -> bool:
    """`global` and `nonlocal` apply to a whole function: those in or after compound statements move to its start."""
    if node not in lowering.facts.inner_declarations:
        rendered(lowering, node)
    return False


def _delete(lowering: Lowering, node: Any) -> bool:
    names = [target.id for target in node.targets if isinstance(target, gast.Name)]
    marked = lowering.place is None and any(name in lowering.facts.undefinable for name in names)
    if marked and len(names) == len(node.targets):
        for name in names:
            lowering.line(f'{name} = {lowering.gw}.undefined("{name}")', node)
    else:
        rendered(lowering, node, items.deleted(lowering, node))
    return False


def _assign(lowering: Lowering, node: gast.AST) -> bool:
    lines = unpacking.assigned(lowering, node, unpacking.with_operators(lowering))
    if lines is None:
        rendered(lowering, node, items.assigned(lowering, node))
    else:
        unpack(lowering, node, lines)
    return False


def unpack(lowering: Lowering, node: gast.AST, lines: Sequence[str]) -> None:
    """An assignment to several targets in one or more lines."""
    for line in lines[:-1]:
        lowering.line(line, node)
    rendered(lowering, node, lines[-1])


def _augmented(lowering: Lowering, node: gast.AST) -> bool:
    rendered(lowering, node, items.augmented(lowering, node))
    return False


def _expression(lowering: Any, node: Any) -> bool:
    """`gw.set_element_type(xs, ...)` gives the list that knows; all else stands as it is."""
    value = node.value
    called = (calls.dotted(value.func) or "") if isinstance(value, gast.Call) else ""
    typed = value.args[0] if called.split(".")[-1] == "set_element_type" and value.args else None
    if isinstance(typed, gast.Name):
        rendered(lowering, node, f"{typed.id} = {lowering.read(node)(value)}")
    else:
        rendered(lowering, node)
    return False


_HANDLERS = {
    "Return": _return,
    "Break": _jump,
    "Continue": _jump,
    "Raise": _raise,
    "Assert": _assert,
    "Delete": _delete,
    "Assign": _assign,
    "AnnAssign": _annotated,
    "AugAssign": _augmented,
    "Expr": _expression,
    "Global": _declaration,
    "Nonlocal": _declaration,
}
