"""Builtins that reach a call as values: `size = len; size(x)`."""

from __future__ import annotations

from typing import Any

builtin_operators: dict[Any, Any] = {}
"""What is called instead of a builtin; set by the package."""


def overloaded(function: Any) -> Any:
    """What is called instead of a function in code whose calls aren't converted: builtins work on tensors there too."""
    try:
        return builtin_operators.get(function, function)
    except TypeError:
        return function
