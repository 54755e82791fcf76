"""`with`, `try` and `match` as pairs: their bodies are Python's, each up to where a tensor decides whether it is left.

Before:

    with lock:
        if x > 0:
            return x
        y = 1

After:

    result, done = gw.pending, False
    with lock:
        if gw.by_graph(held := gw.asked(x > 0)):
            def rest(): ...
            result, y = rest()
            done = True
        elif held:
            return x
        if not done:
            y = 1

What follows is written by `leaving`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes.body_places import PythonBody, reserved
from graphwright.passes.clauses import add_block, clauses_of, else_unless_left, override, state_of_body
from graphwright.passes.jumps import jumps_out, lets_errors_pass
from graphwright.passes.leaving import in_graph_block, jump_taken, leave_by_flags, no_jump, staged_jumps

if TYPE_CHECKING:
    from graphwright.passes.facts import Facts


def may_override(facts: Facts, node: Any) -> bool:
    """Whether a tensor may decide in a `finally` about how another body was left."""
    final: list[Any] = getattr(node, "finalbody", [])
    if not final or not staged_jumps(facts, final):
        return False
    return any(jumps_out(body) for body in (node.body, node.orelse, *(handler.body for handler in node.handlers)))


def write(lowering: Any, node: Any, flags: list[str], names: list[str], rest: Sequence[gast.stmt]) -> None:
    """The statement with its bodies as Python runs them, each up to where a tensor decides whether it is left."""
    unit = lowering.unit
    overrides = may_override(lowering.facts, node)
    done = reserved(unit, "done") if flags else ""
    own = [reserved(unit, f"last_{name}") for name in names] if overrides else []
    for name, flag in zip([*names, *own], [*flags, *flags], strict=False):
        lowering.line(f"{name} = {no_jump(lowering, flag)}", node)
    if flags:
        lowering.line(f"{done} = False", node)
    place = lowering.place
    if overrides:
        lowering.place = replace(place, told=(*place.told, *zip(flags, names, strict=True)))
    for header, part, body in clauses_of(lowering, node):
        lowering.line(header, part)
        is_final = overrides and body is node.finalbody
        if is_final:
            lowering.place = place
            done = reserved(unit, "done")
            lowering.line(f"    {done} = False", part)
        inner = _body(lowering, node, body, flags, own if is_final else names, done)
        if is_final:
            inner.place = place
            _override(inner, node, flags, names, own, done, rest)
        add_block(lowering, inner, part)


def _body(lowering: Any, node: Any, body: list[Any], flags: list[str], names: list[str], done: str) -> Any:
    facts = lowering.facts
    is_try, is_match = isinstance(node, (gast.Try, gast.TryStar)), isinstance(node, gast.Match)
    inner = lowering.in_block()
    inner.writer.column += 4 if is_match else 0
    catches = bool(node.handlers) if is_try else not is_match and not lets_errors_pass(node, lowering.unit.library)
    caught = lowering.place.caught or (catches and body is node.body)
    inner.place = replace(lowering.place, following=(), caught=caught)
    if staged_jumps(facts, body):
        _, outs, frame = state_of_body(lowering, body, flags, node)
        around = PythonBody(frame, (*names, *(slot.text for slot in outs)), done)
        inner.place = replace(inner.place, around=around)
    if is_try and body is node.orelse and staged_jumps(facts, node.body):
        _else_unless_done(inner, body, flags, names, done, node)
    else:
        inner.block(body, tail=False)
    return inner


def _override(
    lowering: Any, node: Any, flags: list[str], names: list[str], own: list[str], done: str, rest: Sequence[Any]
) -> None:
    """At the end of a `finally` in which the graph has decided on a jump: it overrides one that is being taken."""
    line = node.finalbody[-1].end_lineno
    lowering.line(f"if {done}:", line)
    inner = in_graph_block(lowering, node)
    inner.line(f"if {jump_taken(inner, flags, names)}:", line)
    leaving = inner.in_block()
    override(leaving, flags, names, own, line)
    leave_by_flags(leaving, lowering.place, flags, names, lowering.place.after(rest), node)
    inner.writer.extend(leaving.writer)
    inner.line("else:", line)
    inner.line(f"    {', '.join(names)} = {', '.join(own)}", line)
    lowering.writer.extend(inner.writer)


def _else_unless_done(lowering: Any, body: list[Any], flags: list[str], names: list[str], done: str, node: Any) -> None:
    """The `else` of a `try` whose body a tensor may have left."""
    lowering.line(f"if {done}:", body[0])
    inner = in_graph_block(lowering, node)
    else_unless_left(inner, body, flags, names, node)
    add_block(lowering, inner, body[0])
    lowering.line("else:", body[0])
    inner = lowering.in_block()
    inner.block(body, tail=False)
    add_block(lowering, inner, body[0])
