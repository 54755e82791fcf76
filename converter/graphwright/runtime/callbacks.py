"""Converts functions that built-ins are given: keys, special methods. How to convert is known elsewhere."""

from __future__ import annotations

import sys
from typing import Any, cast


def converted(function: Any) -> Any:
    """The function converted, if conversion of calls is loaded at all."""
    calls: Any = sys.modules.get("graphwright.runtime.calls")
    return calls.converted(function) if calls and calls.convert_function else function


def own_method(value: Any, name: str) -> Any:
    """The special method of that name if it is written in Python, converted; else None."""
    method = getattr(cast(Any, type(value)), name, None)
    return converted(method) if hasattr(method, "__code__") else None
