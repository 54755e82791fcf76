"""Library functions that read their arguments, after a tensor has left an iterator halfway: they don't get that one.

The user's own functions are converted, so what reads in them asks by itself.
"""

from __future__ import annotations

import functools
import types
from typing import Any, cast

from graphwright.iterator_reads import READERS
from graphwright.runtime.basis.left_iterators import is_iterator, refuse_left

_METHODS = (types.BuiltinFunctionType, types.MethodWrapperType)
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type)


def asking(function: Any, callee: Any) -> Any:
    """What is called instead of a function: the callee, which reads only what can be read."""
    kind = cast("Any", type(function))
    if kind in _METHODS and is_iterator(function.__self__) and function.__name__ != "close":
        refuse_left(function.__self__, begins=False)
    if kind in _FUNCTIONS and function.__name__ in READERS:
        return functools.partial(_called, callee)
    return callee


def _called(callee: Any, /, *arguments: Any, **options: Any) -> Any:
    refuse_left(*arguments, *options.values())
    return callee(*arguments, **options)
