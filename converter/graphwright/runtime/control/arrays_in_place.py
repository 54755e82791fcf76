"""Arrays of NumPy that a loop of the graph carries as tensors, and that `+=` would change under other names as well.

What methods and functions change in arrays is noted elsewhere.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from graphwright.runtime.basis.tensorflow import NumpyArray
from graphwright.runtime.state.reachability import is_named_otherwise


def refuse_other_names(turn: Callable[..., Any], values: Sequence[Any], names: Sequence[str]) -> None:
    """Raise the error for an array that the turn of a loop changes in place, if it has another name."""
    for name, value in zip(names, values, strict=False):
        if not isinstance(value, NumpyArray) or not value.ndim or not _changes_in_place(turn, name.rpartition(".")[2]):
            continue
        base = value.base
        if is_named_otherwise(value, name, names) or (base is not None and is_named_otherwise(base, name, names)):
            raise TypeError(
                f"a loop of the graph changes the array `{name}` in place, and it has another name, which wouldn't see "
                f"that: write `{name} = {name} + ...`, or copy it before (`{name} = {name}.copy()`)"
            )


def _changes_in_place(turn: Any, name: str) -> bool:
    """Whether `name += ...` or the like is in the code of a turn."""
    while hasattr(turn, "__wrapped__"):
        turn = turn.__wrapped__
    code = getattr(turn, "__code__", None)
    return code is not None and any(name in stored for stored in _augmented(code))


def _augmented(code: types.CodeType) -> Iterator[Any]:
    """The names that are set to what an operator in place gives, each as Python's instructions say it."""
    instructions = list(dis.get_instructions(code))
    for place, instruction in enumerate(instructions):
        if instruction.opname.startswith("INPLACE_") or instruction.argrepr in _SIGNS:
            following = instructions[place + 1 : place + 3]
            stores = [each.argval for each in following if each.opname.startswith("STORE_")]
            yield from ((each,) if isinstance(each, str) else each for each in stores if each is not None)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _augmented(constant)


_SIGNS = frozenset({"+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="})
