"""The headers and bodies of `with`, `try` and `match`, and what is read after them.

How they are left isn't decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes import operators
from graphwright.passes.exits import ExitFrame
from graphwright.passes.slots import coming_out, going_in, written_slots
from graphwright.passes.state import Slot, places_argument
from graphwright.passes.unit import as_alone

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.facts import Facts


def clauses_of(lowering: Any, node: Any) -> list[tuple[str, Any, list[Any]]]:
    """The headers and bodies of a compound statement; headers that are only a word have no place of their own."""
    read = lowering.read(node)
    if isinstance(node, (gast.With, gast.AsyncWith)):
        items = ", ".join(_with_item(lowering, item) for item in node.items)
        return [(f"{'async ' if isinstance(node, gast.AsyncWith) else ''}with {items}:", node, node.body)]
    if isinstance(node, gast.Match):
        clauses: list[tuple[str, Any, list[Any]]] = []
        lowering.line(f"match {as_alone(read(node.subject))}:", node)
        for case in node.cases:
            guard = f" if {lowering.read(case)(case.guard)}" if case.guard is not None else ""
            start, end = lowering.unit.span(case.pattern)
            pattern = lowering.unit.original(start, end)
            clauses.append((f"    case {pattern}{guard}:", case.pattern, case.body))
        return clauses
    clauses = [("try:", node, node.body)]
    star = "*" if isinstance(node, gast.TryStar) else ""
    for handler in node.handlers:
        caught = f" {lowering.read(handler)(handler.type)}" if handler.type is not None else ""
        bound = f" as {handler.name.id}" if handler.name is not None else ""
        clauses.append((f"except{star}{caught}{bound}:", handler, handler.body))
    if node.orelse:
        clauses.append(("else:", node.orelse[0].lineno - 1, node.orelse))
    if node.finalbody:
        clauses.append(("finally:", node.finalbody[0].lineno - 1, node.finalbody))
    return clauses


def _with_item(lowering: Lowering, item: gast.withitem) -> str:
    read = lowering.read(item)
    bound = f" as {read(item.optional_vars)}" if item.optional_vars is not None else ""
    return as_alone(read(item.context_expr)) + bound


def add_block(lowering: Lowering, inner: Lowering, part: Any) -> None:
    if not inner.writer.lines:
        inner.line("pass", part)
    lowering.writer.extend(inner.writer)


def state_of_body(
    lowering: Lowering, body: list[Any], flags: list[str], node: gast.AST
) -> tuple[list[Slot], list[Slot], ExitFrame]:
    """What goes into a body that runs as a function, what comes out of it, and how it ends."""
    facts = lowering.facts
    slots = written_slots(facts, body)
    ins = going_in(facts, slots, body[0], facts.live_in(body[0]))
    outs = coming_out(slots, _live_after(facts, body, node), ins)
    texts = tuple(slot.text for slot in outs)
    return ins, outs, lowering.unit.style.frame(lowering, "branch", texts, flags=tuple(flags))


def _live_after(facts: Facts, body: list[gast.stmt], node: gast.AST) -> frozenset[str]:
    """What may be read after a body of a compound statement, in its `else` and `finally` as well."""
    later = [node.orelse, node.finalbody] if isinstance(node, (gast.Try, gast.TryStar)) else []
    return facts.live_out(node).union(*[facts.live_in(block[0]) for block in later if block and block is not body])


def else_unless_left(
    lowering: Lowering, body: list[gast.stmt], flags: list[str], names: list[str], node: gast.AST
) -> None:
    """The `else` of a `try`, whose body may have been left by a jump: then it isn't run."""
    line = body[0].lineno
    ins, outs, frame = state_of_body(lowering, body, flags, node)
    name = lowering.unit.fresh("otherwise")
    piece = operators.body_function(lowering, name, ins, body, frame, line, collapse=False)
    kept = [*names, *(slot.parameter if slot in ins else f"{lowering.gw}.never" for slot in outs)]
    parameters = ", ".join(slot.parameter for slot in ins)
    values = f"({', '.join(kept)})" if len(kept) > 1 else kept[0]
    keep = f"lambda {parameters}: {values}" if parameters else f"lambda: {values}"
    pieces = [operators.Piece(any_taken(lowering, flags, names), line), operators.Piece(keep, line), piece]
    arguments = [*(slot.text for slot in ins), *places_argument(written_slots(lowering.facts, body))]
    operators.assigned(names, outs, lambda targets: operators.call(lowering, targets, "if_", pieces, arguments, line))


def any_taken(lowering: Lowering, flags: list[str], names: list[str]) -> str:
    """The condition that one of the jumps was taken."""
    taken = [lowering.unit.style.flag_test(flag, name) for flag, name in zip(flags, names, strict=True)]
    text = taken[-1]
    for test in reversed(taken[:-1]):
        text = f"{lowering.gw}.or_({test}, lambda: {text})"
    return text


def override(lowering: Lowering, flags: list[str], names: list[str], own: list[str], line: int) -> None:
    """The jump that a `finally` has taken (`own`), if it has taken one, in place of how the others were left."""
    pieces = [
        operators.Piece(any_taken(lowering, flags, own), line),
        operators.Piece(f"lambda: ({', '.join(own)})" if len(own) > 1 else f"lambda: {own[0]}", line),
        operators.Piece(f"lambda: ({', '.join(names)})" if len(own) > 1 else f"lambda: {names[0]}", line),
    ]
    operators.call(lowering, f"{', '.join(names)} = ", "if_", pieces, [], line)
