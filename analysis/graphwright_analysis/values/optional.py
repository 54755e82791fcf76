"""A value that may as well be None.

To whoever doesn't ask which, it is unknown.
"""

from __future__ import annotations

from graphwright_analysis.immutability import immutable

from .domain import NONE, UNKNOWN, Unknown, Value


@immutable
class OrNone(Unknown):
    """One value, or None: an optional parameter, a layer that is only made if it is asked for."""

    inner: Value = UNKNOWN


def or_none(value: Value) -> Value:
    """A value that may also be None."""
    if value == NONE or isinstance(value, OrNone):
        return value
    return UNKNOWN if isinstance(value, Unknown) else OrNone(inner=value)
