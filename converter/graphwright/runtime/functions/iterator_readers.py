"""Library functions that go over their arguments: they get the elements of a tensor of known length.

After a tensor has left an iterator halfway, they don't get that one. The user's own functions are converted, so what
reads in them asks by itself.
"""

from __future__ import annotations

import functools
import types
from typing import Any, cast

from graphwright.iterator_reads import READERS
from graphwright.runtime.basis.left_iterators import is_iterator, refuse_left
from graphwright.runtime.lists.staged_sequences import is_staged, static_items

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


def over_elements(function: Any, callee: Any) -> Any:
    """What is called instead of a function of `itertools`, which can't go over a tensor of a graph by itself."""

    def call(*arguments: Any, **options: Any) -> Any:
        return callee(*(_elements(function, argument) for argument in arguments), **options)

    return call


def _elements(function: Any, value: Any) -> Any:
    if not is_staged(value):
        return value
    items = static_items(value)
    if items is None:
        raise TypeError(
            f"itertools.{function.__name__} goes over the elements while the graph is built, and only the graph knows "
            "how many there are: write what it does with `for`, or give the tensor a static length"
        )
    return items


def _called(callee: Any, /, *arguments: Any, **options: Any) -> Any:
    refuse_left(*arguments, *options.values())
    return callee(*arguments, **options)
