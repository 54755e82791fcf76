"""Converts functions that built-ins are given: keys, special methods. How to convert is known elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def converted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function converted, if conversion of calls is loaded at all."""
    calls: Any = sys.modules.get("graphwright.runtime.calls")
    return calls.converted(function) if calls else function
