"""Calls of NumPy: the dtypes and shapes of the arrays that they give."""

from __future__ import annotations

from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import dtypes
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Scalar,
    Tensor,
    Value,
    Variable,
    dtype_of,
    shape_of,
)
from graphwright_analysis.values.tensorflow import functions, indexing

Named = dict[str, Value]


def call(run: Run, name: str, positional: list[Value], named: Named) -> Value:
    """What a function of NumPy gives, by its name below `np`."""
    first = positional[0] if positional else UNKNOWN
    if name in ("array", "asarray", "ascontiguousarray"):
        dtype = named.get("dtype", positional[1] if len(positional) > 1 else NONE)
        made = held_values.as_tensor(run, first)
        if dtype != NONE:
            return Array(functions.numpy_dtype(dtype), made.shape)
        return Array(_numpy_default(run, first, made.dtype), made.shape)
    if name in ("zeros", "ones", "empty", "linspace", "arange"):
        at = 1 if name in ("zeros", "ones", "empty") else 5
        dtype = named.get("dtype", positional[at] if len(positional) > at else NONE)
        shape = indexing.given(first, held_values.elements_of(run, first)) if at == 1 else None
        if dtype != NONE:
            return Array(functions.numpy_dtype(dtype), shape)
        if name != "arange":
            return Array("float64", shape)
        return Array("int64" if {dtype_of(value) for value in positional} <= {"int32"} else None)
    if dtypes.named(name) is not None:
        return Array(dtypes.named(name), shape_of(first))
    if name in ("random.rand", "random.randn"):
        return Array("float64") if positional else Scalar(float)
    if name in ("random.normal", "random.uniform"):
        return Array("float64") if "size" in named or len(positional) > 2 else Scalar(float)
    return UNKNOWN


def _numpy_default(run: Run, value: Value, dtype: str | None) -> str | None:
    """The dtype of an array made of a value: NumPy's for Python numbers, its own for what has one."""
    elements = held_values.elements_of(run, value)
    if elements is None or isinstance(value, (Array, Tensor, Variable)):
        has_one = isinstance(value, (Array, Tensor, Variable))
        return dtype if has_one else functions.numpy_default(dtype)
    found = {_numpy_default(run, e, held_values.as_tensor(run, e).dtype) for e in elements}
    if found == {"int64", "float64"}:
        return "float64"
    return next(iter(found)) if len(found) == 1 else None
