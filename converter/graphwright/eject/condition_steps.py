"""Conditions with a call that changes something: each part that Python might skip becomes a statement of its own.

Before:

    if cost < best or rng.uniform() < 0.1:
        best = cost

After:

    condition = cost < best
    if not condition:
        condition = rng.uniform() < 0.1
    if condition:
        best = cost

Which calls change something isn't decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from graphwright.eject.flags import Flagged, FlaggedText
from graphwright.eject.source_edits import free_name
from graphwright.errors import ConversionError
from graphwright.passes.unit import walk


def with_steps(text: str, function: Any, line: int) -> FlaggedText | None:
    """The text of a function with the condition of the `if` in a line in two steps; None where that can't be done."""
    choice = next((part for part in walk(function) if isinstance(part, gast.If) and part.lineno == line), None)
    if choice is None or not isinstance(choice.test, gast.BoolOp) or choice.test.lineno != choice.test.end_lineno:
        return None
    lines = text.splitlines()
    row, indent = lines[line - 1], " " * choice.col_offset
    is_elif = row.startswith(f"{indent}elif ")
    strings = [part for part in walk(choice) if isinstance(part, (gast.Constant, gast.JoinedStr))]
    if not row.isascii() or not (is_elif or row.startswith(f"{indent}if ")):
        return None
    if is_elif and any(part.lineno != part.end_lineno for part in strings):
        return None
    taken = {part.id for part in walk(function) if isinstance(part, gast.Name)}
    name = free_name("condition", taken)
    deeper = indent + "    " if is_elif else indent
    steps = [*([f"{indent}else:"] if is_elif else []), *_steps(choice.test, row, name, deeper)]
    end = choice.end_lineno if is_elif else line
    rest = [f"    {below}" if below.strip() else below for below in lines[line:end]]
    numbers = [*range(1, line), *[line] * len(steps), *range(line + 1, len(lines) + 1)]
    return FlaggedText("\n".join([*lines[: line - 1], *steps, *rest, *lines[end:]]) + "\n", tuple(numbers))


def _steps(test: Any, row: str, name: str, indent: str) -> list[str]:
    """The lines that give a name the value of a condition, and the `if` that asks for it."""
    first, *others = [row[value.col_offset : value.end_col_offset] for value in test.values]
    asked = name if isinstance(test.op, gast.And) else f"not {name}"
    steps = [f"{indent}{name} = {first}"]
    for other in others:
        steps += [f"{indent}if {asked}:", f"{indent}    {name} = {other}"]
    before = row[: test.col_offset].strip().removeprefix("el").removeprefix("if").strip()
    return [*steps, f"{indent}if {before}{name}{row[test.end_col_offset :]}"]


def ask(lowering: Any, node: gast.If) -> None:
    """Raise Flagged for an `if` that has to be written in steps."""
    style, test = lowering.unit.style, node.test
    if not isinstance(test, gast.BoolOp) or lowering.facts.outer is not None or style.is_python(test, lowering.facts):
        return
    changing = changing_calls(style, test.values[1:])
    if changing:
        raise Flagged({}, refusal(lowering.unit, changing[0]), condition=node.lineno)


def changing_calls(style: Any, nodes: Sequence[Any]) -> list[Any]:
    """The calls that change an object, or take an element off a list."""
    parts = [part for node in nodes for part in walk(node)]
    calls = [part for part in parts if isinstance(part, gast.Call)]
    return [call for call in calls if style.takes_off(call) or style.changes_in(call)]


def refusal(unit: Any, call: Any) -> ConversionError:
    """The refusal of a call that changes an object where the graph decides whether it runs."""
    return ConversionError(
        f"`{unit.original(*unit.span(call.func))}` changes its arguments under a graph condition: "
        "call it in a statement of its own, in an `if`",
        line=call.lineno,
    )
