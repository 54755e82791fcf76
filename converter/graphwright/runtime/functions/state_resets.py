"""Whether a trace runs a method that resets state, such as `reset`: each call of the graph begins with that.

It reads the code of the functions that run and the methods that they name, and runs nothing.
"""

from __future__ import annotations

import dis
import sys
import types
from collections.abc import Collection, Iterator
from typing import Any

from graphwright.libraries import is_library_class, is_library_module
from graphwright.runtime.basis.attributes import held_attributes
from graphwright.runtime.state.reachability import TRACE_BOUNDARIES
from graphwright.twins import codes_below


def running_codes() -> frozenset[types.CodeType]:
    """The user's code that the trace runs at this moment."""
    found = set[types.CodeType]()
    frame: types.FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_code not in TRACE_BOUNDARIES:
        if not is_library_module(frame.f_globals.get("__name__", "")):
            found.add(frame.f_code)
        frame = frame.f_back
    return frozenset(found)


def is_reset(owner: Any, text: str, codes: Collection[types.CodeType]) -> bool:
    """Whether running code calls another method of the owner that sets an attribute or empties it."""
    name = text.partition("[")[0].rpartition(".")[2]
    called = {each for code in codes for part in (code, *codes_below(code)) for each in part.co_names}
    return any(_resets(method.__code__, name) for method in _methods(owner, called) if method.__code__ not in codes)


def _methods(owner: Any, called: Collection[str]) -> Iterator[types.FunctionType]:
    for kind in type(owner).__mro__:
        for name, held in () if is_library_class(kind) else (held_attributes(kind) or {}).items():
            method = getattr(held, "python_function", held)
            if name in called and isinstance(method, types.FunctionType):
                yield method


def _resets(code: types.CodeType, name: str) -> bool:
    if name not in code.co_names:
        return False
    stored = any(each.opname == "STORE_ATTR" and each.argval == name for each in dis.get_instructions(code))
    return stored or "clear" in code.co_names
