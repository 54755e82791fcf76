"""Converts functions that built-ins are given: keys, special methods. How to convert is known elsewhere."""

from __future__ import annotations

from typing import Any, cast

from graphwright.runtime.functions import calls


def converted(function: Any) -> Any:
    """The function converted, if conversion is loaded at all."""
    return calls.converted(function) if calls.convert_function else function


def own_method(value: Any, name: str) -> Any:
    """The special method of that name if it is written in Python, converted; else None."""
    method = getattr(cast(Any, type(value)), name, None)
    return converted(method) if hasattr(method, "__code__") else None
