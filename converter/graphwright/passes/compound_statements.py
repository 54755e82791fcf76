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
from typing import TYPE_CHECKING, Any

import gast

from graphwright.passes import compound_pairs, leaving, operators
from graphwright.passes.body_places import PythonBody, reserved
from graphwright.passes.clauses import add_block, clauses_of, else_unless_left, override, state_of_body
from graphwright.passes.facts import CONSTRUCTS
from graphwright.passes.jumps import completes, jumps_out, lets_errors_pass

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.facts import Facts

DEEPEST = 16
"""How many early ends are nested in one another; Python itself allows indentation a hundred levels deep."""


def compound(lowering: Any, node: gast.stmt, rest: Sequence[gast.stmt], tail: bool) -> bool:
    """A `with`, `try` or `match`, which stays; bodies that can be left under a tensor condition become calls."""
    flags, names = _flags(lowering, node)
    if lowering.place is not None and not _needs_calls(lowering, node):
        compound_pairs.write(lowering, node, flags, names, rest)
    else:
        plain = lowering
        if lowering.place is not None:
            plain = lowering.without_pairs()
            leaving.mark_undefined(plain, node)
        _with_calls(plain, node, flags, names)
    always_leaves = lowering.unit.style.has_results and not completes([node], lowering.unit.library)
    if flags == ["return"] and always_leaves:
        value = lowering.unit.style.flag_value(names[0], lowering.frame)
        if lowering.place is not None and (told := lowering.place.telling("return")):
            lowering.line(f"{told}{names[0]}", node.end_lineno)
        lowering.line(f"return {lowering.frame.leaving('return', value)}", node.end_lineno)
    elif flags and lowering.place is not None:
        return leaving.after(lowering, flags, names, rest, node)
    elif flags:
        operators.after_flags(lowering, flags, names, rest, node)
    return bool(flags)


def _needs_calls(lowering: Any, node: gast.stmt) -> bool:
    """Whether a `finally` may override a jump that Python takes, in a body that a tensor may leave, too."""
    return compound_pairs.may_override(lowering.facts, node) and isinstance(lowering.place.around, PythonBody)


def _flags(lowering: Lowering, node: gast.AST) -> tuple[list[str], list[str]]:
    """The jumps out of a statement that a tensor may decide on, and the variables that say that they were taken."""
    found = jumps_out([node]) if lowering.facts.has_staged_jump([node]) else ()
    flags = [jump for jump in ("break", "continue", "return") if jump in found]
    names = operators.flag_names(lowering, flags)
    if lowering.place is not None and compound_pairs.may_override(lowering.facts, node):
        # They are read while a jump is taken: no other construct may have left anything in them.
        names = [reserved(lowering.unit, name) for name in names]
    return flags, names


def _with_calls(lowering: Lowering, node: gast.AST, flags: list[str], names: list[str]) -> None:
    facts = lowering.facts
    final: list[Any] = getattr(node, "finalbody", [])
    overrides = facts.has_staged_jump(final)
    if flags and not lets_errors_pass(node, lowering.unit.library):
        for flag, name in zip(flags, names, strict=True):
            lowering.line(f"{name} = {leaving.no_jump(lowering, flag)}", node)
    called = bool(flags) and (facts.has_staged_jump(getattr(node, "body", [])) or overrides)
    for header, part, body in clauses_of(lowering, node):
        if header:
            lowering.line(header, part)
        inner = lowering.in_block()
        if isinstance(node, gast.Match):
            inner.writer.column += 4
        if overrides and body is final:
            _overriding_body(inner, body, flags, names, node)
        elif called and isinstance(node, (gast.Try, gast.TryStar)) and body is node.orelse:
            else_unless_left(inner, body, flags, names, node)
        elif flags and (facts.has_staged_jump(body) or (overrides and jumps_out(body))):
            _called_body(inner, body, flags, names, node)
        else:
            inner.block(body, tail=False)
        add_block(lowering, inner, part)


def _overriding_body(
    lowering: Lowering, body: list[gast.stmt], flags: list[str], names: list[str], node: gast.AST
) -> None:
    """The body of a `finally` that may be left: then it is of no importance how the others were left."""
    line = body[0].lineno
    unit = lowering.unit
    own = [unit.fresh(f"last_{name}") for name in names]
    _called_body(lowering, body, flags, own, node)
    override(lowering, flags, names, own, line)


def place_to_split(facts: Facts, statements: Sequence[gast.stmt]) -> int:
    """After how many statements the rest becomes a function of its own: each early end nests what follows it."""
    count = 0
    for number, part in enumerate(statements):
        if count == DEEPEST and number < len(statements) - 1:
            return number
        count += isinstance(part, CONSTRUCTS) and facts.has_staged_jump([part])
    return 0


def in_parts(lowering: Lowering, first: Sequence[gast.stmt], rest: Sequence[gast.stmt]) -> None:
    """The first statements as a function that is called at once, and then the rest unless they have left."""
    jumps = jumps_out(first)
    flags = [jump for jump in ("break", "continue", "return") if jump in jumps]
    names = operators.flag_names(lowering, flags)
    _called_body(lowering, list(first), flags, names, first[-1])
    operators.after_flags(lowering, flags, names, rest, first[-1])


def _called_body(lowering: Lowering, body: list[gast.stmt], flags: list[str], names: list[str], node: gast.AST) -> None:
    """A body as a function that is called at once, so that all that leaves it comes out in one place."""
    ins, outs, frame = state_of_body(lowering, body, flags, node)
    name = lowering.unit.fresh("body")
    piece = operators.body_function(lowering, name, ins, body, frame, body[0].lineno, collapse=False)
    text = f"{piece.text}({', '.join(slot.text for slot in ins)})"
    operators.assigned(names, outs, lambda targets: lowering.line(targets + text, body[0]))
