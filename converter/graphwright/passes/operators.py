"""Calls of Graphwright's operators, and the functions that are written to be given to them.

Which functions a construct needs is decided where the construct is lowered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gast

from graphwright.passes.brackets import assigns, cannot_fail, has_comma, is_balanced
from graphwright.passes.exits import ExitFrame, Jump, as_value
from graphwright.passes.slots import declarations, going_in, kept_by_jumps, written_slots
from graphwright.passes.state import Slot, places_argument, prologue
from graphwright.passes.undefined import unset_in, without_value
from graphwright.passes.unit import flat, line_end
from graphwright.passes.writing import WIDTH


@dataclass(frozen=True, slots=True)
class Piece:
    """An argument of an operator, and the user's line that it comes from.

    `expression` is what a function comes down to, `node` the user's expression, `left_out` are parameters it lacks.
    """

    text: str
    line: int
    expression: str | None = None
    node: Any = None
    left_out: frozenset[str] = frozenset()


def body_function(
    lowering: Any,
    name: str,
    slots: Sequence[Slot],
    statements: Sequence[Any],
    frame: ExitFrame,
    line: int,
    leading: str = "",
    before: Sequence[tuple[str, int]] = (),
    targets: Sequence[Any] = (),
    ending: str = "",
    collapse: bool = True,
    settled: bool = False,
) -> Piece:
    """A function for statements: a lambda if they come down to one expression, else a `def` in front.

    `leading` is a parameter in front of the state, `before` are lines to begin with, which set `targets`; `ending` is
    what is returned if there are no statements. In a `settled` function, attributes are as they were in front of it.
    """
    inner = lowering.inside(replace(frame, parameters=frozenset(slot.text for slot in slots)))
    parameters = ", ".join([*([leading] if leading else []), *[slot.parameter for slot in slots]])
    beginning = _beginning(lowering, leading, slots, targets, statements)
    for text, origin in [*((text, line) for text in beginning), *before]:
        inner.line(text, origin)
    if statements:
        inner.block(statements, tail=True)
    else:
        inner.line(f"return {ending or frame.leaving('end')}", line)
    lines = inner.writer.lines
    if not lines or lines[-1][0].strip() == "pass":
        inner.line("return None", line)
    expression = (lowering.unit.style.collapsed(lines) or _as_expression(lines)) if collapse else None
    if expression is not None:
        return Piece(_lambda(lowering.gw, parameters, expression), lines[0][1], expression)
    known = {slot.parameter: slot for slot in slots if settled and slot.is_set_first}
    parameters = ", ".join(each for each in parameters.split(", ") if each not in known)
    lowering.line(f"def {name}({parameters}):", line)
    first = [n for n, text in enumerate(beginning) if text in prologue([*known.values()])]
    lowering.writer.lines.extend(each for n, each in enumerate(lines) if n not in first)
    return Piece(name, line, left_out=frozenset(known))


def _beginning(
    lowering: Any, leading: str, slots: Sequence[Slot], targets: Sequence[Any], statements: Sequence[Any]
) -> list[str]:
    """What a function for statements says before them: which variables it shares, and what has no value."""
    given = {leading, *(slot.text.partition("=")[0] for slot in slots)}
    given |= {part.id for part in targets if isinstance(part, gast.Name)}
    unset = unset_in(lowering.facts, statements, given) if lowering.unit.style.says_undefined else ()
    shared = declarations(lowering.facts, [*targets, *statements])
    return [*shared, *prologue(slots), *(f'{name} = {lowering.gw}.undefined("{name}")' for name in unset)]


def call(
    lowering: Any, targets: str, operator: str, pieces: Sequence[Piece], arguments: Sequence[str], line: int
) -> None:
    """`targets = gw.operator(pieces..., arguments...)`, on one line if that is short and comes from one."""
    if lowering.unit.style.call(lowering, targets, operator, pieces, arguments, line):
        return
    _write_call(lowering, f"{targets}{lowering.gw}.{operator}(", pieces, arguments, line)


def _write_call(lowering: Any, head: str, pieces: Sequence[Piece], arguments: Sequence[str], line: int) -> None:
    whole = head + ", ".join([*[piece.text for piece in pieces], *arguments]) + ")"
    one_line = flat(whole) and all(piece.line == line or cannot_fail(piece.text) for piece in pieces)
    if one_line and len(whole) + lowering.writer.column <= WIDTH:
        lowering.line(whole, line)
        return
    text = head
    for piece in pieces:
        text += f"{line_end(piece.line, 4)}{piece.text},"
    if arguments:
        text += f"{line_end(line, 4)}{', '.join(arguments)},"
    lowering.line(f"{text}{line_end(line, 0)})", line)


def assigned(names: Sequence[str], slots: Sequence[Slot], write: Callable[[str], None]) -> None:
    """Write what gives results, with `targets = ` in front."""
    targets = [*names, *[slot.text for slot in slots]]
    write(", ".join(targets) + " = " if targets else "")


def gives_back(lowering: Any, slots: Sequence[Slot]) -> bool:
    """Whether the function that is being written ends by giving back just these values."""
    frame: ExitFrame = lowering.frame
    return (
        frame.kind != "function"
        and not any(slot.prologue for slot in slots)
        and frame.leaving("end") == ", ".join(slot.text for slot in slots)
    )


def flag_names(lowering: Any, flags: Sequence[str]) -> list[str]:
    """The variables that hold what jumps were taken inside a construct."""
    return [lowering.unit.style.flag(lowering.unit, flag) for flag in flags]


def after_flags(lowering: Any, flags: Sequence[str], names: Sequence[str], rest: Sequence[Any], origin: Any) -> None:
    """After a construct that reports jumps: leave as the jump says, or go on with the rest."""
    frame: ExitFrame = lowering.frame
    if not flags:
        if rest:
            lowering.block(rest, tail=True)
        else:
            lowering.end("end", line=origin.end_lineno)
        return
    flag, name = flags[0], names[0]
    slots = written_slots(lowering.facts, rest)
    live = lowering.facts.live_in(rest[0]) | kept_by_jumps(lowering.facts, rest, frame.results) if rest else set[str]()
    ins = going_in(lowering.facts, slots, rest[0] if rest else None, live)
    first = [slot for slot in ins if slot.prologue]
    style = lowering.unit.style
    at_end = frame.kind == "function" and flag == "return" and not first and not frame.extra
    if at_end and len(flags) == 1 and style.has_results:
        _or_else(lowering, name, slots, ins, rest, origin)
        return
    inner = frame.with_extra(first)
    jump: Jump = flag  # type: ignore[assignment]
    value = style.flag_value(name, frame) if flag == "return" else ""
    nothing = without_value(lowering.facts, inner, origin, jump) - {slot.text for slot in ins}
    left = inner.without(nothing).leaving(jump, value)
    parameters = ", ".join(slot.parameter for slot in ins)
    expression = as_value(left, 2 if has_comma(left) else 1)
    leave = _lambda(lowering.gw, parameters, expression)
    go_on = _rest_function(lowering, flags[1:], names[1:], rest, ins, inner, origin)
    test = style.flag_test(flag, name)
    if leave == go_on.text and leave.startswith("lambda:"):
        lowering.line(f"return {leave[8:]}", origin.lineno)
        return
    pieces = [Piece(test, origin.lineno), Piece(leave, origin.lineno, expression), go_on]
    tail_call(lowering, inner, pieces, slots, ins, origin.lineno)


def tail_call(
    lowering: Any, inner: ExitFrame, pieces: Sequence[Piece], slots: Sequence[Slot], ins: Sequence[Slot], line: int
) -> None:
    """A choice at the end of a generated function; what only it changes, if it isn't a place, is set in front of it."""
    arguments = [*(lowering.unit.style.argument(lowering, slot, line) for slot in ins), *places_argument(slots)]
    new = inner.extra[: len(inner.extra) - len(lowering.frame.extra)]
    if not new:
        call(lowering, "return ", "if_", pieces, arguments, line)
        return
    outcome = lowering.unit.fresh("outcome")
    results = [*(next(slot for slot in ins if slot.text == text) for text in new), Slot(outcome, outcome)]
    assigned([], results, lambda targets: call(lowering, targets, "if_", pieces, arguments, line))
    lowering.line(f"return {outcome}", line)


def _rest_function(
    lowering: Any,
    flags: Sequence[str],
    names: Sequence[str],
    rest: Sequence[Any],
    ins: Sequence[Slot],
    frame: ExitFrame,
    origin: Any,
) -> Piece:
    line = rest[0].lineno if rest else origin.lineno
    if not flags:
        return body_function(lowering, lowering.unit.fresh("rest"), ins, rest, frame, line, settled=True)
    inner = lowering.inside(frame)
    for text in prologue(ins):
        inner.line(text, line)
    after_flags(inner, flags, names, rest, origin)
    name = lowering.unit.fresh("rest")
    lowering.line(f"def {name}({', '.join(slot.parameter for slot in ins)}):", line)
    lowering.writer.extend(inner.writer)
    return Piece(name, line)


def _or_else(
    lowering: Any, name: str, slots: Sequence[Slot], ins: Sequence[Slot], rest: Sequence[Any], origin: Any
) -> None:
    """At the end of the user's function: the value that was returned, or what the rest gives."""
    line = rest[0].lineno if rest else origin.lineno
    defaults = [Slot(f"{slot.text}={slot.text}", f"{slot.text}={slot.text}") for slot in ins]
    piece = body_function(lowering, lowering.unit.fresh("rest"), defaults, rest, lowering.frame, line)
    _write_call(lowering, f"return {name}.or_else(", [piece], places_argument(slots), piece.line)


def _as_expression(lines: Sequence[tuple[str, int]]) -> str | None:
    """The one expression that the lines of a function come down to."""
    texts = [text.strip() for text, _ in lines]
    if len(texts) == 1 and texts[0].startswith("return "):
        expression = texts[0][7:]
    elif len(texts) == 2:
        match = _ASSIGNMENT.fullmatch(texts[0])
        if match is None or texts[1] != f"return {match.group(1)}" or assigns(match.group(2)):
            return None
        expression = match.group(2)
    else:
        return None
    if len(expression) > 80 or "#" in expression or ":=" in expression or "super()" in expression:
        return None
    if expression.startswith(("yield", "await")) or not is_balanced(expression):
        return None
    if '"""' in expression or "'''" in expression:
        return None
    return f"({expression})" if has_comma(expression) else expression


def _lambda(gw: str, parameters: str, expression: str) -> str:
    """A lambda, or the operator that is the same."""
    if "=" not in parameters:
        if expression in ((parameters, f"({parameters})") if parameters else ("None",)):
            return f"{gw}.unchanged"
        for name in ("last", "more"):
            if expression == f"{gw}.{name}({parameters})":
                return f"{gw}.{name}"
    return f"lambda {parameters}: {expression}" if parameters else f"lambda: {expression}"


_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*) = (.*)")
