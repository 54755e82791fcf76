"""Functions that a branch or iteration makes: which are the same one made again, and which may be called after it.

What calls one of a few functions isn't here.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from graphwright.runtime.basis.context import is_tensor
from graphwright.runtime.state.held_values import held_by
from graphwright.twins import Twin


def is_callable(value: Any) -> bool:
    """Whether a value can be called, and isn't a class or one of our own things."""
    if not callable(value) or isinstance(value, type) or is_tensor(value):
        return False
    return not cast("type[Any]", type(value)).__module__.startswith("graphwright.")


def key_of(value: Any) -> Any:
    """Tells a function from others: each trace makes those of the same code and the same variables again."""
    if isinstance(value, types.FunctionType) and not vars(value).keys() - {Twin.KEY}:
        held = (*(value.__closure__ or ()), *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
        return (value.__code__, *map(id, held))
    return (value.__func__, id(value.__self__)) if isinstance(value, types.MethodType) else id(value)


def holds_only(value: Any, makers: Iterable[Any], called: Sequence[str], knows: Callable[[Any], bool]) -> bool:
    """Whether a function holds what is there without its makers: the variables around them, and values that are known.

    A variable of the makers themselves that is called as a result goes on under that name, and the function would keep
    what it was.
    """
    around = {id(cell) for maker in makers for cell in getattr(maker, "__closure__", None) or ()}
    if not isinstance(value, types.FunctionType):
        return all(knows(part) for _, part in held_by(value))
    cells = dict(zip(value.__code__.co_freevars, value.__closure__ or (), strict=True))
    own = {name for name, cell in cells.items() if id(cell) not in around}
    return own.isdisjoint(called) and all(knows(part) for name, part in held_by(value) if name in own or not name)
