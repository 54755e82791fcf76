"""Compound statements that stay as they are: `with`, `try` and `match`, and stretches of code with many early ends.

Before:

    with lock:
        if x > 0:
            return x
    return y

After:

    result = gw.pending
    with lock:
        def body():
            return gw.if_(x > 0, lambda: gw.returned(x), lambda: gw.pending)
        result = body()
    return result.or_else(lambda: y)

Branches and loops are lowered elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphwright_analysis.flow.tree import kind_of

from graphwright.passes import operators
from graphwright.passes.jumps import completes, jumps_out, lets_errors_pass
from graphwright.passes.slots import coming_out, going_in, written_slots
from graphwright.passes.state import places_argument
from graphwright.passes.unit import as_alone

DEEPEST = 16
"""How many early ends are nested in one another; Python itself allows indentation a hundred levels deep."""


def compound(lowering: Any, node: Any, rest: Sequence[Any], tail: bool) -> bool:
    """A `with`, `try` or `match`, which stays; bodies that can be left under a tensor condition become calls."""
    facts = lowering.facts
    flags: list[str] = []
    if facts.has_staged_jump([node]):
        flags = [jump for jump in ("break", "continue", "return") if jump in jumps_out([node])]
    names = operators.flag_names(lowering, flags)
    final: list[Any] = getattr(node, "finalbody", [])
    overrides = facts.has_staged_jump(final)
    if flags and not lets_errors_pass(node, lowering.unit.library):
        for flag, name in zip(flags, names, strict=True):
            lowering.line(f"{name} = {_not_taken(lowering, flag)}", node)
    called = bool(flags) and (facts.has_staged_jump(getattr(node, "body", [])) or overrides)
    for header, part, body in _clauses(lowering, node):
        if header:
            lowering.line(header, part)
        inner = lowering.in_block()
        if kind_of(node) == "Match":
            inner.writer.column += 4
        if overrides and body is final:
            _overriding_body(inner, body, flags, names, node)
        elif called and kind_of(node) in ("Try", "TryStar") and body is node.orelse:
            _unless_left(inner, body, flags, names, node)
        elif flags and (facts.has_staged_jump(body) or (overrides and jumps_out(body))):
            _called_body(inner, body, flags, names, node)
        else:
            inner.block(body, tail=False)
        lowering.writer.extend(inner.writer)
        if not inner.writer.lines:
            inner.line("pass", part)
            lowering.writer.extend(inner.writer)
    always_leaves = lowering.unit.style.has_results and not completes([node], lowering.unit.library)
    if flags == ["return"] and always_leaves:
        value = lowering.unit.style.flag_value(names[0], lowering.frame)
        lowering.line(f"return {lowering.frame.leaving('return', value)}", node.end_lineno)
    elif flags:
        operators.after_flags(lowering, flags, names, rest, node)
    return bool(flags)


def _unless_left(lowering: Any, body: list[Any], flags: list[str], names: list[str], node: Any) -> None:
    """The `else` of a `try`, whose body may have been left by a jump: then it isn't run."""
    facts, unit, line = lowering.facts, lowering.unit, body[0].lineno
    slots = written_slots(facts, body)
    ins = going_in(facts, slots, body[0], facts.live_in(body[0]))
    outs = coming_out(slots, _live_behind(facts, body, node), ins)
    frame = unit.style.frame(lowering, "branch", tuple(slot.text for slot in outs), flags=tuple(flags))
    piece = operators.body_function(lowering, unit.fresh("otherwise"), ins, body, frame, line, collapse=False)
    kept = [*names, *(slot.parameter if slot in ins else f"{lowering.gw}.never" for slot in outs)]
    parameters = ", ".join(slot.parameter for slot in ins)
    values = f"({', '.join(kept)})" if len(kept) > 1 else kept[0]
    keep = f"lambda {parameters}: {values}" if parameters else f"lambda: {values}"
    pieces = [operators.Piece(_any_taken(lowering, flags, names), line), operators.Piece(keep, line), piece]
    arguments = [slot.text for slot in ins]
    arguments += places_argument(slots)
    operators.assigned(names, outs, lambda targets: operators.call(lowering, targets, "if_", pieces, arguments, line))


def _any_taken(lowering: Any, flags: list[str], names: list[str]) -> str:
    """The condition that one of the jumps was taken."""
    taken = [lowering.unit.style.flag_test(flag, name) for flag, name in zip(flags, names, strict=True)]
    text = taken[-1]
    for test in reversed(taken[:-1]):
        text = f"{lowering.gw}.or_({test}, lambda: {text})"
    return text


def _not_taken(lowering: Any, flag: str) -> str:
    return f"{lowering.gw}.pending" if flag == "return" else "False"


def _overriding_body(lowering: Any, body: list[Any], flags: list[str], names: list[str], node: Any) -> None:
    """The body of a `finally` that may be left: then it is of no importance how the others were left."""
    line = body[0].lineno
    unit = lowering.unit
    own = [unit.fresh(f"last_{name}") for name in names]
    _called_body(lowering, body, flags, own, node)
    pieces = [
        operators.Piece(_any_taken(lowering, flags, own), line),
        operators.Piece(f"lambda: ({', '.join(own)})" if len(own) > 1 else f"lambda: {own[0]}", line),
        operators.Piece(f"lambda: ({', '.join(names)})" if len(own) > 1 else f"lambda: {names[0]}", line),
    ]
    operators.call(lowering, f"{', '.join(names)} = ", "if_", pieces, [], line)


def place_to_split(facts: Any, statements: Sequence[Any]) -> int:
    """After how many statements the rest becomes a function of its own: each early end nests what follows it."""
    count = 0
    for number, part in enumerate(statements):
        if count == DEEPEST and number < len(statements) - 1:
            return number
        count += kind_of(part) in ("If", "For", "While") and facts.has_staged_jump([part])
    return 0


def in_parts(lowering: Any, first: Sequence[Any], rest: Sequence[Any]) -> None:
    """The first statements as a function that is called at once, and then the rest unless they have left."""
    jumps = jumps_out(first)
    flags = [jump for jump in ("break", "continue", "return") if jump in jumps]
    names = operators.flag_names(lowering, flags)
    _called_body(lowering, list(first), flags, names, first[-1])
    operators.after_flags(lowering, flags, names, rest, first[-1])


def _called_body(lowering: Any, body: list[Any], flags: list[str], names: list[str], node: Any) -> None:
    """A body as a function that is called at once, so that all that leaves it comes out in one place."""
    facts = lowering.facts
    slots = written_slots(facts, body)
    live = _live_behind(facts, body, node)
    ins = going_in(facts, slots, body[0], facts.live_in(body[0]))
    outs = coming_out(slots, live, ins)
    frame = lowering.unit.style.frame(lowering, "branch", tuple(slot.text for slot in outs), flags=tuple(flags))
    name = lowering.unit.fresh("body")
    piece = operators.body_function(lowering, name, ins, body, frame, body[0].lineno, collapse=False)
    text = f"{piece.text}({', '.join(slot.text for slot in ins)})"
    operators.assigned(names, outs, lambda targets: lowering.line(targets + text, body[0]))


def _live_behind(facts: Any, body: list[Any], node: Any) -> frozenset[str]:
    """What may be read after a body of a compound statement, in its `else` and `finally` as well."""
    later = [node.orelse, node.finalbody] if kind_of(node) in ("Try", "TryStar") else []
    return facts.live_out(node).union(*[facts.live_in(block[0]) for block in later if block and block is not body])


def _clauses(lowering: Any, node: Any) -> list[tuple[str, Any, list[Any]]]:
    """The headers and bodies of a compound statement; headers that are only a word have no place of their own."""
    kind = kind_of(node)
    read = lowering.read(node)
    if kind in ("With", "AsyncWith"):
        items = ", ".join(_with_item(lowering, item) for item in node.items)
        return [(f"{'async ' if kind == 'AsyncWith' else ''}with {items}:", node, node.body)]
    if kind == "Match":
        clauses: list[tuple[str, Any, list[Any]]] = []
        lowering.line(f"match {as_alone(read(node.subject))}:", node)
        for case in node.cases:
            guard = f" if {lowering.read(case)(case.guard)}" if case.guard is not None else ""
            start, end = lowering.unit.span(case.pattern)
            pattern = lowering.unit.original(start, end)
            clauses.append((f"    case {pattern}{guard}:", case.pattern, case.body))
        return clauses
    clauses = [("try:", node, node.body)]
    star = "*" if kind == "TryStar" else ""
    for handler in node.handlers:
        caught = f" {lowering.read(handler)(handler.type)}" if handler.type is not None else ""
        bound = f" as {handler.name.id}" if handler.name is not None else ""
        clauses.append((f"except{star}{caught}{bound}:", handler, handler.body))
    if node.orelse:
        clauses.append(("else:", node.orelse[0].lineno - 1, node.orelse))
    if node.finalbody:
        clauses.append(("finally:", node.finalbody[0].lineno - 1, node.finalbody))
    return clauses


def _with_item(lowering: Any, item: Any) -> str:
    read = lowering.read(item)
    bound = f" as {read(item.optional_vars)}" if item.optional_vars is not None else ""
    return as_alone(read(item.context_expr)) + bound
