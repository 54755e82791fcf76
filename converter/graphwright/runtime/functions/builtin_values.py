"""Builtins that reach a call as values (`size = len; size(x)`), and methods of lists and dicts."""

from __future__ import annotations

import functools
from typing import Any

from graphwright.runtime.lists.list_methods import sort_in_place
from graphwright.runtime.state import partial_dicts

builtin_operators: dict[Any, Any] = {}
"""What is called instead of a builtin; set by the package."""


def overloaded(function: Any) -> Any:
    """What is called instead of a function in code whose calls aren't converted: builtins work on tensors there too."""
    try:
        return builtin_operators.get(function, function)
    except TypeError:
        return function


def method_of(function: Any) -> Any:
    """What is called instead of a built-in function or a method of a built-in class."""
    owner: Any = function.__self__
    if function.__name__ == "sort" and owner.__class__ is list:
        return functools.partial(sort_in_place, owner)
    return partial_dicts.method_of(function)
