"""`if`, with or without jumps in its branches.

Before:

    if x > 0:
        y = x
    else:
        y = -x

After:

    y = gw.if_(x > 0, lambda: x, lambda: -x)

Where a branch leaves (`return`, `break`, `continue`, `raise`), what follows the `if` becomes part of the other one.
Where that would be written twice, the branch reports the jump as a flag instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes import operators
from graphwright.passes.clauses import add_block
from graphwright.passes.exits import ExitFrame
from graphwright.passes.jumps import completes, jumps_out
from graphwright.passes.slots import coming_out, going_in, kept_by_jumps, written_slots
from graphwright.passes.state import Slot, places_argument
from graphwright.passes.unit import as_alone

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering


def branch(lowering: Any, node: Any, rest: Sequence[gast.stmt], tail: bool) -> bool:
    """Write an `if`; True if what follows it has been written with it."""
    if lowering.facts.is_native(node):
        _native(lowering, node)
        return not completes([node], lowering.unit.library)
    if is_conditional_raise(node):
        _raise_if(lowering, node)
        return False
    jumps = jumps_out([node])
    both = all(completes(part, lowering.unit.library) for part in (node.body, node.orelse))
    if not jumps and (both or not tail):
        return _merge(lowering, node, is_last=tail and not rest)
    inner_jumps = lowering.facts.has_staged_jump([*node.body, *node.orelse])
    if tail and (not both or not rest or (_is_small(rest) and not inner_jumps)):
        _choose(lowering, node, rest)
    else:
        flags = [jump for jump in ("break", "continue", "return") if jump in jumps]
        names = operators.flag_names(lowering, flags)
        _merge(lowering, node, flags, names)
        if not tail:
            return False
        operators.after_flags(lowering, flags, names, rest, node)
    return True


def _native(lowering: Any, node: Any, word: str = "if") -> None:
    lowering.line(f"{word} {as_alone(lowering.read(node.test)(node.test))}:", node)
    _block(lowering, node.body)
    if _has_native_elif(lowering, node):
        _native(lowering, node.orelse[0], "elif")
        return
    if node.orelse:
        lowering.line("else:", node.orelse[0].lineno)
        _block(lowering, node.orelse)


def _has_native_elif(lowering: Any, node: gast.If) -> bool:
    if len(node.orelse) != 1 or not isinstance(node.orelse[0], gast.If) or not lowering.facts.is_native(node.orelse[0]):
        return False
    inner = node.orelse[0]
    return inner not in lowering.unit.templates and inner.col_offset == node.col_offset


def _block(lowering: Lowering, statements: Sequence[Any]) -> None:
    inner = lowering.in_block()
    inner.block(statements, tail=False)
    add_block(lowering, inner, statements[0])


def _merge(
    lowering: Any, node: gast.If, flags: Sequence[str] = (), names: Sequence[str] = (), is_last: bool = False
) -> bool:
    """Both branches come back, and what they have changed is merged; True if that is what the function gives back."""
    facts = lowering.facts
    slots = written_slots(facts, [*node.body, *node.orelse])
    ins = _ins(lowering, node, slots)
    outs = coming_out(slots, facts.live_out(node), ins)
    if "break" in flags or "continue" in flags:
        ins = _ins(lowering, node, slots, given_back=[slot.text for slot in outs])
    if not node.orelse and {slot.text for slot in ins} <= {slot.text for slot in outs} and not flags:
        ins = outs
    frame = lowering.unit.style.frame(lowering, "branch", tuple(slot.text for slot in outs), flags=tuple(flags))
    line = node.lineno
    test = operators.Piece(lowering.read(node.test)(node.test), line, node=node.test)
    then = _piece(lowering, "then", ins, node.body, frame, node, settled=True)
    is_settled = then.expression is not None
    otherwise = _piece(lowering, "otherwise", ins, node.orelse, frame, node, settled=is_settled)
    pieces = [test, then, otherwise]
    arguments = [*(lowering.unit.style.argument(lowering, slot, line) for slot in ins), *places_argument(slots)]
    if is_last and outs and operators.gives_back(lowering, outs):
        operators.call(lowering, "return ", "if_", pieces, arguments, line)
        return True
    operators.assigned(names, outs, lambda targets: operators.call(lowering, targets, "if_", pieces, arguments, line))
    return False


def _choose(lowering: Any, node: gast.If, rest: Sequence[Any]) -> None:
    """The branches end the generated function, each with the rest that it leads to."""
    facts = lowering.facts
    then = [*node.body, *rest] if completes(node.body, lowering.unit.library) else node.body
    otherwise = [*node.orelse, *rest] if completes(node.orelse, lowering.unit.library) else node.orelse
    slots = written_slots(facts, [*node.body, *node.orelse, *rest])
    ins = _ins(lowering, node, slots, then, otherwise, lowering.frame.results)
    frame = lowering.frame.with_extra([slot for slot in ins if slot.prologue])
    line = node.lineno
    test = operators.Piece(lowering.read(node.test)(node.test), line, node=node.test)
    first = _piece(lowering, "then", ins, then, frame, node, settled=True)
    is_settled = first.expression is not None
    second = _piece(lowering, "otherwise", ins, otherwise, frame, node, settled=is_settled)
    operators.tail_call(lowering, frame, [test, first, second], slots, ins, line)


def _ins(
    lowering: Any,
    node: gast.If,
    slots: Sequence[Slot],
    then: Sequence[Any] = (),
    otherwise: Sequence[Any] = (),
    given_back: Sequence[str] = (),
) -> list[Slot]:
    """What goes in: all that is changed somewhere in a branch and may be read there first, or given back as it is."""
    facts = lowering.facts
    needed: set[str] = set()
    for statements in (then or node.body, otherwise or node.orelse):
        if statements:
            written = {slot.text for slot in written_slots(facts, statements)}
            needed |= facts.live_in(statements[0]) & written
            needed |= kept_by_jumps(facts, statements, given_back)
    return going_in(facts, slots, node, needed)


def _piece(
    lowering: Any,
    name: str,
    ins: Sequence[Slot],
    statements: Sequence[Any],
    frame: ExitFrame,
    node: gast.stmt,
    *,
    settled: bool,
) -> operators.Piece:
    line = statements[0].lineno if statements else node.lineno
    name = lowering.unit.fresh(name)
    return operators.body_function(lowering, name, ins, statements, frame, line, settled=settled)


def _is_small(rest: Sequence[gast.stmt]) -> bool:
    """Whether what follows may as well be written twice."""
    return len(rest) == 1 and isinstance(rest[0], (gast.Return, gast.Break, gast.Continue))


def is_conditional_raise(node: gast.If) -> bool:
    return (
        not node.orelse
        and len(node.body) == 1
        and isinstance(node.body[0], gast.Raise)
        and node.body[0].exc is not None
        and node.body[0].cause is None
    )


def _raise_if(lowering: Any, node: Any) -> None:
    statement = node.body[0]
    test = operators.Piece(lowering.read(node.test)(node.test), node.lineno)
    failure = operators.Piece(f"lambda: {lowering.read(statement).inside()(statement.exc)}", statement.lineno)
    operators.call(lowering, "", "raise_if", [test, failure], [], statement.lineno)
