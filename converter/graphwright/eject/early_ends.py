"""Loops over Python values that the graph leaves early: a flag says whether they go on, and Python runs all of them.

Before:

    for place, word in enumerate(words):
        if word == wanted:
            found = place
            break

After:

    going = True
    for place, word in enumerate(words):
        if going and word == wanted:
            found = place
            going = False
"""

from __future__ import annotations

from typing import Any

from graphwright_analysis.flow.tree import FUNCTIONS, kind_of

from graphwright.eject.flags import FlaggedText
from graphwright.passes.unit import walk


def with_flag(text: str, function: Any, line: int) -> FlaggedText | None:
    """The text of a function with a flag for the loop in a line; None where that can't be done."""
    loop = next((part for part in walk(function) if kind_of(part) == "For" and part.lineno == line), None)
    if loop is None or loop.orelse or not _is_simple(loop) or _is_read_outside(function, loop):
        return None
    breaks = [part for part in _own_parts(loop) if kind_of(part) == "Break"]
    if not breaks or not _are_last(loop.body, breaks):
        return None
    taken = {part.id for part in walk(function) if kind_of(part) == "Name"}
    flag = next(name for name in ("going", *(f"going_{n}" for n in range(2, len(taken) + 3))) if name not in taken)
    lines = text.splitlines()
    for part in breaks:
        start, end = part.col_offset, part.end_col_offset
        lines[part.lineno - 1] = lines[part.lineno - 1][:start] + f"{flag} = False" + lines[part.lineno - 1][end:]
    numbers = list(range(1, len(lines) + 1))
    _guard(lines, loop.body[0].test, flag)
    indent = " " * loop.col_offset
    lines.insert(line - 1, f"{indent}{flag} = True")
    numbers.insert(line - 1, line)
    return FlaggedText("\n".join(lines) + "\n", tuple(numbers))


def _guard(lines: list[str], test: Any, flag: str) -> None:
    """Have a condition hold only while the flag is set."""
    row, start, end = int(test.lineno) - 1, test.col_offset, test.end_col_offset
    text: str = lines[row][start:end]
    weak = kind_of(test) in ("IfExp", "Lambda", "NamedExpr") or (kind_of(test) == "BoolOp" and kind_of(test.op) == "Or")
    lines[row] = f"{lines[row][:start]}{flag} and {f'({text})' if weak else text}{lines[row][end:]}"


def _is_simple(loop: Any) -> bool:
    """Whether all that a loop does is under one condition, on lines of its own."""
    texts = [part for part in walk(loop) if kind_of(part) in ("Constant", "JoinedStr")]
    leaves = any(kind_of(part) == "Return" for part in walk(loop))
    leaves = leaves or any(kind_of(part) == "Continue" for part in _own_parts(loop))
    own_lines = loop.body[0].lineno > loop.lineno
    first = loop.body[0]
    is_choice = len(loop.body) == 1 and kind_of(first) == "If" and not first.orelse
    if not is_choice or first.test.lineno != first.test.end_lineno:
        return False
    return own_lines and not leaves and all(part.lineno == part.end_lineno for part in texts)


def _is_read_outside(function: Any, loop: Any) -> bool:
    """Whether anything else reads what the loop goes by, which would be the last element then."""
    names = {part.id for part in walk(loop.target) if kind_of(part) == "Name"}
    inside = {*walk(loop)}
    named = [part for part in walk(function) if kind_of(part) == "Name" and part.id in names]
    return any(part not in inside for part in named)


def _own_parts(loop: Any) -> list[Any]:
    """What is in a loop's body, but not in loops and functions there."""
    return [
        part
        for statement in loop.body
        for part in walk(statement, lambda inner: kind_of(inner) not in FUNCTIONS and kind_of(inner) not in _LOOPS)
        if kind_of(part) not in _LOOPS
    ]


def _are_last(body: list[Any], breaks: list[Any]) -> bool:
    """Whether nothing in the body comes after any of the breaks."""
    inside = {part for statement in body[:-1] for part in walk(statement)}
    if any(each in inside for each in breaks):
        return False
    last = body[-1]
    below = [suite for suite in (last.body, last.orelse) if suite] if kind_of(last) == "If" else []
    left = [each for each in breaks if each is not last]
    if not left:
        return True
    return bool(below) and all(
        _are_last(suite, [each for each in left if each in {p for s in suite for p in walk(s)}]) for suite in below
    )


_LOOPS = frozenset({"For", "While"})
