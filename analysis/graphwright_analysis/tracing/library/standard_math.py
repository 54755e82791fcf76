"""What functions of Python's `math` give: their results where the numbers are known, else of which type they are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphwright_analysis.values.domain import UNKNOWN, Constant, Scalar, Value

_UNBOUNDED = frozenset({"factorial", "comb", "perm", "prod", "lcm", "ldexp"})
"""Functions that may take long, or give numbers of any length."""
_FLOATS = frozenset({"sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "atan", "atan2", "radians"})
_INTEGERS = frozenset({"ceil", "floor", "trunc", "gcd", "isqrt"})


def call(name: str, positional: Sequence[Value]) -> Value:
    """What `math.<name>` gives."""
    known = [value.value for value in positional if isinstance(value, Constant)]
    if len(known) == len(positional) and name not in _UNBOUNDED:
        try:
            made = getattr(math, name)(*known)
        except Exception:
            return UNKNOWN
        return Constant(made) if isinstance(made, (bool, int, float)) else UNKNOWN
    return Scalar(float) if name in _FLOATS else Scalar(int) if name in _INTEGERS else UNKNOWN
