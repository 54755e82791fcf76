"""What converted functions may be called under: dtypes that widen, and operations named after their function."""

from __future__ import annotations

import contextlib
import functools
import types
from typing import Any

from graphwright.runtime.basis.context import having, promoting
from graphwright.runtime.basis.tensorflow import tf


def run_with(function: Any, promote: bool, names: frozenset[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a converted function that may let dtypes and shapes widen, or that has optional features."""
    with contextlib.ExitStack() as stack:
        if promote:
            stack.enter_context(promoting(True))
        if names:
            stack.enter_context(having(names))
        if "NAME_SCOPES" in names:
            stack.enter_context(tf.name_scope(scope_of(function)))
        return function(*args, **kwargs)


def named_after(function: Any, callee: Any) -> Any:
    """What runs the converted form of a function or method in a scope of its name; anything else as it is."""
    if callee is function or not isinstance(function, (types.FunctionType, types.MethodType)):
        return callee

    @functools.wraps(callee, updated=())
    def named(*args: Any, **kwargs: Any) -> Any:
        with tf.name_scope(scope_of(function)):
            return callee(*args, **kwargs)

    return named


def scope_of(function: Any) -> str:
    """A function's name as the scope that AutoGraph makes of it."""
    name = getattr(function, "__name__", type(function).__name__)
    if name == "<lambda>":
        return "lambda_"
    return f"fn{name}" if name.startswith("_") else name
