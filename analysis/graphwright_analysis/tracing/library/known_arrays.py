"""NumPy's numbers where they are known: scalars that are computed, and the arrays that count.

A call of a traced function doesn't ask for them; what Python makes of them, with `float` or `.item()`, does.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graphwright_analysis.values.domain import Array, Constant, Value
from graphwright_analysis.values.known_arrays import KnownArray

_MOST = 1024
"""How many numbers of an array are known."""


def filled(name: str, made: Value, positional: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """The array that `np.linspace` or `np.arange` makes, with its numbers where they are known."""
    size = made.shape[0] if isinstance(made, Array) and made.shape else None
    numbers = [_number(value) for value in positional]
    if size is None or not 0 < size <= _MOST or None in numbers or named.keys() - {"num"}:
        return made
    assert isinstance(made, Array)
    if name == "arange" and made.dtype == "int64":
        return KnownArray(made.dtype, made.shape, tuple(range(*numbers)))
    if name == "linspace" and 2 <= len(numbers) <= 3:
        start, stop = numbers[:2]
        step = (stop - start) / (size - 1) if size > 1 else 0.0
        found = [index * step + start for index in range(size)]
        return KnownArray(made.dtype, made.shape, (*found[:-1], float(stop if size > 1 else start)))
    return made


def call(name: str, positional: Sequence[Value], named: Mapping[str, Value]) -> Value | None:
    """A function of scalars that are all known; None of anything else."""
    function = _FUNCTIONS.get(name)
    numbers = [_number(value) for value in positional]
    if function is None or named or None in numbers or (name in _OPERATORS and not _has_array(positional)):
        return None
    try:
        made = function(*numbers)
    except Exception:
        return None
    if type(made) not in (int, float):
        return None
    return KnownArray("int64" if type(made) is int else "float64", (), (made,))


def _number(value: Value) -> Any:
    """The number that a value is; None of an array, and of one that isn't known."""
    if isinstance(value, KnownArray):
        return value.numbers[0] if value.shape == () else None
    return value.value if isinstance(value, Constant) and type(value.value) in (int, float) else None


def _has_array(values: Sequence[Value]) -> bool:
    return any(isinstance(value, KnownArray) for value in values)


def python_number(value: Value) -> Value:
    """What `int` and `float` see of one of NumPy's numbers: that of Python which it is."""
    return Constant(value.numbers[0]) if isinstance(value, KnownArray) and value.shape == () else value


def _clip(number: float, least: float, most: float) -> float:
    return min(max(number, least), most)


# The types of these two in `operator` aren't known in full.
def _divided(left: float, right: float) -> float:
    return left / right


def _floor_divided(left: float, right: float) -> float:
    return left // right


def _floating(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda number: float(function(number))


_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "true_divide": _divided,
    "floor_divide": _floor_divided, "mod": operator.mod,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **_OPERATORS, "maximum": max, "minimum": min, "abs": abs, "absolute": abs,
    "clip": _clip,
    **{name: _floating(getattr(math, name)) for name in ("exp", "sqrt", "log", "log10", "log2", "sin", "cos", "tanh")},
    **{name: _floating(getattr(math, name)) for name in ("floor", "ceil")},
}  # fmt: skip
