"""Writes to a TensorArray whose result is dropped: in a graph they are lost, and TensorFlow doesn't say so."""

from __future__ import annotations

import ast
import dis
import inspect
import types
from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors.sites import site_of

WRITES = frozenset({"write", "unstack", "scatter", "split"})

_SKIPPED = frozenset({dis.opmap["EXTENDED_ARG"], dis.opmap.get("CACHE", 0)})


def write_that_counts(method: types.MethodType) -> Callable[..., Any]:
    """The method of a TensorArray; a call whose result nobody can use raises."""

    def write(*args: Any, **kwargs: Any) -> Any:
        caller = inspect.currentframe()
        caller = caller and caller.f_back
        if caller is not None and not tf.executing_eagerly() and _drops_result(caller):
            raise ValueError(_lost(method.__name__))
        return method(*args, **kwargs)

    return write


def _lost(name: str) -> str:
    def is_write(node: Any) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name

    site = site_of(None)
    call: Any = site and site.first(is_write)
    if site is None or call is None:
        named, instead = f"`{name}`", f"ta = ta.{name}(...)"
    else:
        named, instead = site.named(call), f"{site.text(call.func.value)} = {site.text(call)}"
    return (
        f"{named} drops its result, so the element is lost: in a graph `{name}` leaves a TensorArray as it is and "
        f"returns a new one. Write `{instead}`"
    )


def _drops_result(frame: types.FrameType) -> bool:
    """Whether the instruction after the call that a frame is in throws its result away."""
    code, position = frame.f_code.co_code, frame.f_lasti + 2
    while position < len(code) and code[position] in _SKIPPED:
        position += 2
    return position < len(code) and code[position] == dis.opmap["POP_TOP"]
