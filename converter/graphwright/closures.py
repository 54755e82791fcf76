"""What a function's closure holds."""

from __future__ import annotations

import types
from typing import Any


def closure_of(function: types.FunctionType) -> dict[str, Any]:
    """The variables of the functions around that a function reads, but for those without a value."""
    found: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return found
