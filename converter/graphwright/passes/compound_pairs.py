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

from dataclasses import replace
from typing import Any

from graphwright_analysis.flow.tree import kind_of

from graphwright.passes.body_places import PythonBody, reserved
from graphwright.passes.clauses import add_block, clauses_of, else_unless_left, state_of_body
from graphwright.passes.jumps import jumps_out, lets_errors_pass
from graphwright.passes.leaving import no_jump, staged_jumps


def may_override(facts: Any, node: Any) -> bool:
    """Whether a tensor may decide in a `finally` about how another body was left."""
    final: list[Any] = getattr(node, "finalbody", [])
    if not final or not staged_jumps(facts, final):
        return False
    return any(jumps_out(body) for body in (node.body, node.orelse, *(handler.body for handler in node.handlers)))


def write(lowering: Any, node: Any, flags: list[str], names: list[str]) -> None:
    """The statement with its bodies as Python runs them, each up to where a tensor decides whether it is left."""
    facts, unit = lowering.facts, lowering.unit
    is_try = kind_of(node) in ("Try", "TryStar")
    done = reserved(unit, "done") if flags else ""
    for name, value in zip(names, (no_jump(lowering, flag) for flag in flags), strict=True):
        lowering.line(f"{name} = {value}", node)
    if flags:
        lowering.line(f"{done} = False", node)
    is_match = kind_of(node) == "Match"
    for header, part, body in clauses_of(lowering, node):
        lowering.line(header, part)
        inner = lowering.in_block()
        inner.writer.column += 4 if is_match else 0
        catches = bool(node.handlers) if is_try else not is_match and not lets_errors_pass(node, unit.library)
        caught = lowering.place.caught or (catches and body is node.body)
        inner.place = replace(lowering.place, following=(), conditional=True, caught=caught)
        if staged_jumps(facts, body):
            _, outs, frame = state_of_body(lowering, body, flags, node)
            around = PythonBody(frame, (*names, *(slot.text for slot in outs)), done)
            inner.place = replace(inner.place, around=around)
        if is_try and body is node.orelse and staged_jumps(facts, node.body):
            _else_unless_done(inner, body, flags, names, done, node)
        else:
            inner.block(body, tail=False)
        add_block(lowering, inner, part)


def _else_unless_done(lowering: Any, body: list[Any], flags: list[str], names: list[str], done: str, node: Any) -> None:
    """The `else` of a `try` whose body a tensor may have left."""
    lowering.line(f"if {done}:", body[0])
    inner = lowering.in_block().without_pairs()
    else_unless_left(inner, body, flags, names, node)
    add_block(lowering, inner, body[0])
    lowering.line("else:", body[0])
    inner = lowering.in_block()
    inner.block(body, tail=False)
    add_block(lowering, inner, body[0])
