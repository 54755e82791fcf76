"""The settings that a layer of Keras was made with, as what it gives depends on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import NONE, Constant, Tuple, Value
from graphwright_analysis.values.shapes import ANY
from graphwright_analysis.values.tensorflow import functions

Settings = Mapping[str, Value]
Layer = Callable[[Run, Settings, Value], Value]


def own_dtype(run: Run, settings: Settings, of: str | None = "float32") -> str | None:
    """The dtype of what a layer computes: its own where that is told, the policy's where its input is of floats."""
    told = settings.get("dtype", NONE)
    if told != NONE:
        name = functions.named_dtype(told)
        return name if name in dtypes.FLOATS else None
    if of is None:
        return None
    return run.keras_dtype if of in dtypes.FLOATS else of


def number(settings: Settings, name: str, default: int | None = None) -> int | None:
    """A setting that is a whole number; `ANY` where it isn't known."""
    value = settings.get(name)
    if value is None or value == NONE:
        return ANY if default is None else default
    return value.value if isinstance(value, Constant) and type(value.value) is int else ANY


def is_true(settings: Settings, name: str) -> bool | None:
    """A switch, which is off unless it is set; None where it isn't known."""
    value = settings.get(name, Constant(False))
    return bool(value.value) if isinstance(value, Constant) else None


def each(value: Value, axes: int) -> tuple[Value, ...]:
    """A setting for each axis; one alone is for all of them."""
    known = isinstance(value, Tuple) and len(value.items) == axes
    return value.items if isinstance(value, Tuple) and known else (value,) * axes


def whole(value: Value) -> int | None:
    """A whole number of at least 1, where it is known."""
    number = value.value if isinstance(value, Constant) else None
    return number if type(number) is int and number >= 1 else None
