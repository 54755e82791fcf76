"""How Python's own loops, `with`s and `try`s are left where a tensor decides: the rest runs as functions.

Before:

    for x in parts:
        if x < limit:
            break
        total += x
    return total

After, where `x < limit` turns out to be a tensor in some turn:

    def rest(total):
        def otherwise(total):
            total += x
            return gw.more(total)
        return gw.if_(held, gw.last, otherwise, total)
    total = gw.rest_of_for(items, turn, rest(total))
    break

Pairs are written in `pairs` and `compound_pairs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import FUNCTIONS

from graphwright.passes import operators
from graphwright.passes.body_places import BodyPlace, PythonBody, PythonLoop, reserved
from graphwright.passes.clauses import add_block
from graphwright.passes.exits import ExitFrame
from graphwright.passes.jumps import blocks_of, completes, jumps_out
from graphwright.passes.slots import going_in, kept_by_jumps, written_slots
from graphwright.passes.undefined import undefined_at
from graphwright.passes.unit import mangled

if TYPE_CHECKING:
    from graphwright.passes.blocks import Lowering
    from graphwright.passes.facts import Facts


def after(lowering: Any, flags: Sequence[str], names: Sequence[str], rest: Sequence[Any], node: Any) -> bool:
    """After what reports jumps: leave if one was taken or the graph knows; True if the rest has been written."""
    lowering.line(f"if {jump_taken(lowering, flags, names)}:", node.end_lineno)
    inner = in_graph_block(lowering, node)
    leave_by_flags(inner, lowering.place, flags, names, lowering.place.after(rest), node)
    lowering.writer.extend(inner.writer)
    return rest_unless_done(lowering, node, rest)


def no_jump(lowering: Lowering, flag: str) -> str:
    """What a flag is before a jump is taken."""
    return f"{lowering.gw}.pending" if flag == "return" else "False"


def jump_taken(lowering: Any, flags: Sequence[str], names: Sequence[str]) -> str:
    """The condition that a jump was taken, or that the graph knows whether it was."""
    return " or ".join(f"{name} is not {no_jump(lowering, flag)}" for flag, name in zip(flags, names, strict=True))


def leave(inner: Lowering, place: BodyPlace, outcome: str, line: int) -> None:
    """Go on from the outcome of a body's rest: with the turns that remain, or after the `with` or `try`."""
    around = place.around
    if isinstance(around, PythonBody):
        operators.assigned(around.targets, [], lambda targets: inner.line(targets + outcome, line))
        inner.line(f"{around.done} = True", line)
    elif around is not None and not around.staged.frame.leaves:
        operators.assigned([], around.staged.state, lambda targets: inner.line(targets + outcome, line))
        inner.line("continue", line)
    elif around is not None:
        staged = around.staged
        of_for = isinstance(staged.node, gast.For)
        functions = [replace(piece, expression=None) for piece in (staged.pieces[1:] if of_for else staged.pieces)]
        pieces = [operators.Piece(around.source, line), *functions, operators.Piece(outcome, line)]
        extras = staged.extras

        def write(targets: str) -> None:
            operators.call(inner, targets, "rest_of_for" if of_for else "rest_of_while", pieces, extras, line)

        operators.assigned([], staged.state, write)
        if staged.result:
            leave_by_flags(inner, around.outer, ["return"], [staged.result], around.rest, staged.node)
        if not staged.result or around.outer.around is not None:
            inner.line("break", line)


def leave_by_flags(
    inner: Any,
    place: BodyPlace,
    flags: Sequence[str],
    names: Sequence[str],
    after: Sequence[gast.stmt],
    node: gast.stmt,
) -> None:
    """Go on after a jump that the graph knows, up to the end of the body and further."""
    if place.around is None:
        if list(flags) == ["return"] and not completes([node], inner.unit.library):
            inner.line(f"return {names[0]}.value", node.end_lineno)
            return
        operators.after_flags(inner, flags, names, after, node)
        end_here(inner, node)
        return
    name = reserved(inner.unit, "rest")
    body = inner.inside(_frame(place.around))
    operators.after_flags(body, flags, names, after, node)
    inner.line(f"def {name}():", node.lineno)
    inner.writer.extend(body.writer)
    leave(inner, place, f"{name}()", node.lineno)


def rest_call(inner: Lowering, statements: Sequence[Any], around: PythonLoop | PythonBody) -> str:
    """The rest of a body as a function: its call."""
    facts, frame = inner.facts, _frame(around)
    slots = written_slots(facts, statements)
    needed = facts.live_in(statements[0]) | kept_by_jumps(facts, statements, frame.results)
    ins = going_in(facts, slots, statements[0], needed)
    name = reserved(inner.unit, "rest")
    piece = operators.body_function(inner, name, ins, statements, frame, statements[0].lineno, collapse=False)
    return f"{piece.text}({', '.join(slot.text for slot in ins)})"


def _frame(around: PythonLoop | PythonBody) -> ExitFrame:
    return around.frame if isinstance(around, PythonBody) else around.staged.frame


def rest_unless_done(lowering: Any, node: gast.AST, rest: Sequence[gast.stmt]) -> bool:
    """The rest of a block in a `with` or `try`, unless it has run as a function; True if it was written."""
    around = lowering.place.around
    if not isinstance(around, PythonBody) or not rest or not staged_jumps(lowering.facts, [node]):
        return False
    lowering.line(f"if not {around.done}:", rest[0].lineno)
    inner = lowering.in_block()
    inner.block(rest, tail=False)
    add_block(lowering, inner, rest[0])
    return True


def staged_jumps(facts: Facts, statements: Iterable[Any]) -> frozenset[str]:
    """The jumps out of statements that something which becomes a call may take."""
    found: frozenset[str] = frozenset()
    for statement in statements:
        if isinstance(statement, (gast.If, gast.Match)) and not facts.is_native(statement):
            found |= jumps_out([statement])
        elif isinstance(statement, (gast.For, gast.While)):
            body = statement.body if facts.is_native(statement) else ()
            found |= (staged_jumps(facts, body) if body else jumps_out([statement])) & {"return"}
            found |= staged_jumps(facts, statement.orelse)
        elif not isinstance(statement, (gast.ClassDef, *FUNCTIONS)):
            for block in blocks_of(statement):
                found |= staged_jumps(facts, block)
    return found


def end_here(inner: Any, node: gast.stmt) -> None:
    """The function has ended here, with a value or without."""
    lines = inner.writer.lines
    margin = " " * inner.writer.column
    if not lines or not lines[-1][0].startswith(f"{margin}return"):
        inner.line("return None", node.end_lineno)


def in_graph_block(lowering: Lowering, node: gast.AST) -> Any:
    """For the block of a pair that the graph decides on: all in it are calls of operators."""
    inner = lowering.in_block().without_pairs()
    mark_undefined(inner, node)
    return inner


def mark_undefined(lowering: Lowering, node: gast.AST) -> None:
    """Bind names that may have no value here to what says so to operators; where Python decides, they stay unbound."""
    for name in undefined_at(lowering.facts, node):
        private = mangled(lowering.unit.class_name, name) or name
        lowering.line(f"try: {private}", node)
        lowering.line(f'except NameError: {private} = {lowering.gw}.undefined("{name}")', node)
