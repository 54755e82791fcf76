"""Arrays of NumPy of which the numbers are known."""

from __future__ import annotations

from graphwright_analysis.immutability import immutable

from .domain import Array, Value


@immutable
class KnownArray(Array):
    """An array of one axis, or a scalar, with the numbers that it holds."""

    numbers: tuple[int | float, ...] = ()


def without_numbers(value: Value) -> Value:
    """An array as one of the same dtype and shape, whatever it holds."""
    return Array(value.dtype, value.shape) if isinstance(value, KnownArray) else value
