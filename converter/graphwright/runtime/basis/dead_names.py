"""Names of the functions that run which hold an object and won't be read any more, by the functions' code.

It says nothing of names that inner functions share.
"""

from __future__ import annotations

import dis
import sys
import types
from typing import Any, cast

from graphwright.libraries import is_own_file


def references_by_dead_names(value: Any) -> int:
    """How many references to an object are of such names; of Graphwright's own functions, all are.

    From then on, a frame's `f_locals` holds it as well, before Python 3.13.
    """
    frame: types.FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    called: types.FrameType | None = None
    count = 0
    while frame is not None:
        count += _passed(frame, called, value)
        held = frame.f_locals
        names = [name for name in held if held[name] is value]
        if not is_own_file(frame.f_code.co_filename):
            names = [name for name in names if not may_be_read(frame, name)]
        count += len(names) * (2 if held is frame.f_locals else 1)
        called, frame = frame, frame.f_back
    return count


def _passed(frame: types.FrameType, called: types.FrameType | None, value: Any) -> int:
    """How often a frame holds an object for the call that it waits for: before Python 3.11, it keeps the arguments."""
    if sys.version_info >= (3, 11) or called is None or frame.f_lasti < 0:
        return 0
    code = called.f_code
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    is_call = dis.opname[frame.f_code.co_code[frame.f_lasti]] in ("CALL_FUNCTION", "CALL_METHOD", "CALL_FUNCTION_KW")
    return sum(called.f_locals.get(name) is value for name in parameters) if is_call else 0


def stored_next(frame: types.FrameType) -> set[str]:
    """The names that get what a frame waits for, or that are gone with it if it gives that itself."""
    found = set[str]()
    for each in dis.get_instructions(frame.f_code):
        if each.offset <= frame.f_lasti or each.opname in _PASSED_OVER:
            continue
        if each.opname == "RETURN_VALUE" and not found:
            return set(frame.f_code.co_varnames).difference(frame.f_code.co_cellvars)
        if not each.opname.startswith("STORE_FAST") and each.opname not in ("STORE_DEREF", "STORE_NAME"):
            break
        stored: Any = each.argval
        found.update(cast("tuple[str, ...]", stored) if isinstance(stored, tuple) else (stored,))
    return found


def may_be_read(frame: types.FrameType, name: str) -> bool:
    code = frame.f_code
    if name not in code.co_varnames or name in (*code.co_cellvars, *code.co_freevars):
        return True
    read: list[Any] = [one.argval for one in _following(frame) if one.opname.startswith("LOAD")]
    return any(name in one if isinstance(one, tuple) else name == one for one in read)


def _following(frame: types.FrameType) -> list[dis.Instruction]:
    """The instructions that may run in a frame after the one at which it waits."""
    instructions = list(dis.get_instructions(frame.f_code))
    handles = getattr(frame.f_code, "co_exceptiontable", b"") or any("SETUP" in one.opname for one in instructions)
    if handles:
        start = frame.f_lasti + 1
        while (earlier := min([start, *_targets(instructions, start)])) < start:
            start = earlier
        return [one for one in instructions if one.offset >= start]
    places = {one.offset: place for place, one in enumerate(instructions)}
    pending, found = [next(place for offset, place in places.items() if offset > frame.f_lasti)], set[int]()
    while pending:
        place = pending.pop()
        if place in found or place == len(instructions):
            continue
        found.add(place)
        one = instructions[place]
        pending += [places[target] for target in _targets([one], one.offset)]
        pending += [] if one.opname.startswith(_ENDS) else [place + 1]
    return [instructions[place] for place in sorted(found)]


_ENDS = ("RETURN_VALUE", "RETURN_CONST", "RAISE_", "RERAISE", "JUMP_FORWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD")
"""What nothing of the following instructions comes after."""
_PASSED_OVER = ("CACHE", "NOP", "UNPACK_SEQUENCE", "EXTENDED_ARG")


def _targets(instructions: list[dis.Instruction], start: int) -> list[int]:
    """Where the instructions from there on may jump to."""
    jumps = (*dis.hasjrel, *dis.hasjabs)
    return [one.argval for one in instructions if one.offset >= start and one.opcode in jumps]
