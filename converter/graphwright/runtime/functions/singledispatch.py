"""Functions of `functools.singledispatch` and `singledispatchmethod`: the one that is chosen is converted."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from graphwright.runtime.state.python_classes import class_of


def dispatching(function: Any, convert: Callable[[Any], Any]) -> Any:
    """What chooses the function to call as functools does, and converts that one; None for any other function."""
    if function.__globals__ is not vars(functools):
        return None
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    bound_to: tuple[Any, ...] = ()
    if isinstance(getattr(function, "registry", None), types.MappingProxyType):
        choose = function.dispatch
    elif cells.keys() >= {"obj", "cls"}:
        # Python 3.13 has looked up what chooses; before, the closure has the descriptor.
        by_name = {name: cell.cell_contents for name, cell in cells.items()}
        choose = by_name["dispatch"] if "dispatch" in by_name else by_name["self"].dispatcher.dispatch
        bound_to = by_name["obj"], by_name["cls"]
    else:
        return None

    @functools.wraps(function, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        if not args:
            return function(*args, **kwargs)  # Python's own error.
        chosen = choose(class_of(args[0]))
        return convert(chosen.__get__(*bound_to) if bound_to else chosen)(*args, **kwargs)

    call.__dict__["autograph_info__"] = {}
    return call
