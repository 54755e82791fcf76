"""Arrays of NumPy that a branch or loop of the graph carries as tensors, and that change under other names as well.

What methods and functions change in arrays is noted elsewhere.
"""

from __future__ import annotations

import dis
import itertools
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from graphwright.runtime.basis.plain_containers import PLAIN
from graphwright.runtime.basis.tensorflow import NumpyArray
from graphwright.runtime.state.array_names import refuse_with_names
from graphwright.runtime.state.containers import parts
from graphwright.runtime.state.reachability import innermost_users_frame, is_named_otherwise


def refuse_other_names(turn: Callable[..., Any], values: Sequence[Any], names: Sequence[str]) -> None:
    """Raise the error for an array that the turn of a loop changes in place, if it has another name."""
    for name, value in zip(names, values, strict=False):
        if type(value) in PLAIN:
            _refuse_items(turn, name, [item for _, item in parts(value)])
        if not isinstance(value, NumpyArray) or not value.ndim:
            continue
        code = _code_of(turn)
        if code is not None and name in set(_called_with(_SETTERS, code)):
            refuse_with_names(value)
        if code is None or not any(name.rpartition(".")[2] in stored for stored in _augmented(code)):
            continue
        base = value.base
        if is_named_otherwise(value, name, names) or (base is not None and is_named_otherwise(base, name, names)):
            raise TypeError(
                f"a loop of the graph changes the array `{name}` in place, and it has another name, which wouldn't see "
                f"that: write `{name} = {name} + ...`, or copy it before (`{name} = {name}.copy()`)"
            )


def refuse_names_of_choice(sides: Sequence[Sequence[Any]], names: Sequence[str]) -> None:
    """Raise the error for an array that the graph chooses, if the function changes it in place after that."""
    chosen = [(name, values) for name, *values in zip(names, *sides, strict=False) if values[0] is not values[1]]
    found = [(name, value) for name, values in chosen for value in values]
    arrays = [(name, value) for name, value in found if isinstance(value, NumpyArray) and value.ndim]
    frame = innermost_users_frame() if arrays else None
    if frame is not None:
        code, begin = frame.f_code, frame.f_lasti
        changed = {*_called_with(_SETTERS, code, begin), *_plain(_augmented(code, begin, by_constants=True))}
        for name, value in arrays:
            if name in changed:
                refuse_with_names(value)


def _refuse_items(turn: Any, name: str, items: Iterable[Any]) -> None:
    """The same for the arrays in a list or dict whose items a turn changes by `x[i] += ...`."""
    arrays = [item for item in items if isinstance(item, NumpyArray) and item.ndim]
    code = _code_of(turn) if arrays else None
    if code is not None and name in set(_with_items_in_place(code)):
        for array in arrays:
            refuse_with_names(array)


def _code_of(turn: Any) -> types.CodeType | None:
    while hasattr(turn, "__wrapped__"):
        turn = turn.__wrapped__
    return getattr(turn, "__code__", None)


def _called_with(operators: Collection[str], code: types.CodeType, begin: int = -1) -> Iterator[str]:
    """The names of what operators are called with first, from an instruction on."""
    instructions = list(dis.get_instructions(code))
    for place, one in enumerate(instructions):
        if one.argval not in operators or one.offset <= begin:
            continue
        following = instructions[place + 1 : place + 7]
        noted = [index for index, each in enumerate(following) if each.argval == "changing"]
        loads = (each for each in following[noted[0] + 1 if noted else 0 :] if each.opname.startswith("LOAD"))
        yield from _plain(each.argval for each in itertools.islice(loads, 1))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _called_with(operators, constant)


def _with_items_in_place(code: types.CodeType) -> Iterator[str]:
    """The names in `x[i] += 1` and the like, by constants: of what has the item, and of its place."""
    instructions = list(dis.get_instructions(code))
    for place, one in enumerate(instructions):
        copies = place
        while copies and instructions[copies - 1].opname in ("COPY", "DUP_TOP_TWO"):
            copies -= 1
        is_item = one.opname == "BINARY_SUBSCR" or one.argrepr == "[]"
        if copies < place and is_item and _is_in_place(instructions, min(place + 2, len(instructions) - 1), True):
            # What has the item may be asked for what it is now.
            asked = (at for at in range(copies - 1, max(copies - 10, 0), -1) if instructions[at].argval == "read_from")
            first = next(asked, max(copies - 2, 0))
            yield from _plain(each.argval for each in instructions[first:copies])
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _with_items_in_place(constant)


def _plain(stored: Iterable[Any]) -> Iterator[str]:
    for each in stored:
        yield from (each,) if isinstance(each, str) else each if isinstance(each, tuple) else ()


def _augmented(code: types.CodeType, begin: int = -1, by_constants: bool = False) -> Iterator[Any]:
    """The names that are set to what an operator in place gives, each as Python's instructions say it.

    A tensor on the right of an array gives a tensor, and changes nothing in place; a constant surely isn't one.
    """
    instructions = list(dis.get_instructions(code))
    for place, instruction in enumerate(instructions):
        if instruction.offset <= begin or not _is_in_place(instructions, place, by_constants):
            continue
        following = instructions[place + 1 : place + 3]
        stores = [each.argval for each in following if each.opname.startswith("STORE_")]
        yield from ((each,) if isinstance(each, str) else each for each in stores if each is not None)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _augmented(constant, by_constants=by_constants)


def _is_in_place(instructions: list[dis.Instruction], place: int, by_constants: bool) -> bool:
    if by_constants and not instructions[place - 1].opname.startswith(("LOAD_CONST", "LOAD_SMALL_INT")):
        return False
    return instructions[place].opname.startswith("INPLACE_") or instructions[place].argrepr in _SIGNS


_SIGNS = frozenset({"+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="})
_SETTERS = frozenset({"set_item", "update_item", "update_inside"})
