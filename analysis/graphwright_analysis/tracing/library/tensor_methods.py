"""Methods of tensors, variables, arrays and static shapes.

What operators make of them is in `python.operators`; ragged and sparse tensors are in `ragged_and_sparse`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import (
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Composite,
    Constant,
    Dataset,
    Scalar,
    StaticShape,
    Tensor,
    TensorArray,
    Value,
    Variable,
)
from graphwright_analysis.values.tensorflow import functions

from . import datasets, numpy_calls, ragged_and_sparse, static_shapes, tensor_arrays

Receiver = Tensor | Variable | Array | StaticShape


def of_any(run: Run, receiver: Dataset | TensorArray | Composite | Receiver, name: str, call: Call) -> Value:
    """What calling a method gives of anything that TensorFlow or NumPy made."""
    if isinstance(receiver, Dataset):
        return datasets.method(run, receiver, name, call)
    if isinstance(receiver, TensorArray):
        return tensor_arrays.method(run, receiver, name, call)
    if isinstance(receiver, Tensor) and name == "set_shape":
        return static_shapes.set_shape(run, receiver, call)
    if isinstance(receiver, Composite):
        return ragged_and_sparse.method(run, receiver, name, call)
    return method(run, receiver, name, call)


def method(run: Run, receiver: Receiver, name: str, call: Call) -> Value:
    """What calling a method gives."""
    if isinstance(receiver, StaticShape):
        return _static_shape(run, receiver, name, call)
    if isinstance(receiver, Array):
        return numpy_calls.method(run, receiver, name, call)
    handler = (_VARIABLE if isinstance(receiver, Variable) else _TENSOR).get(name)
    if handler is not None:
        return handler(run, receiver, call)
    held_values.lose(run, *call.positional)
    return UNKNOWN


def handled(kind: str) -> frozenset[str]:
    """The methods that are known of Tensor or Variable."""
    return frozenset(_VARIABLE) if kind == "Variable" else frozenset(_TENSOR) | {"set_shape"}


def _changed(run: Run, receiver: Tensor | Variable, call: Call) -> Value:
    """The variable itself, unless it isn't to be read: then an operation in a graph, and None eagerly."""
    read = call.named.get("read_value", Constant(True)) == Constant(True) and len(call.positional) < 4
    return receiver if read else UNKNOWN


def _numpy(run: Run, receiver: Tensor | Variable, call: Call) -> Value:
    return Array(receiver.dtype, receiver.shape)


def _value(run: Run, receiver: Tensor | Variable, call: Call) -> Value:
    return Tensor(receiver.dtype, receiver.shape)


def _get_shape(run: Run, receiver: Tensor | Variable, call: Call) -> Value:
    return StaticShape(receiver.shape)


def _rows_read(run: Run, receiver: Tensor | Variable, call: Call) -> Value:
    return _gathered(run, "gather", receiver, call)


def _elements_read(run: Run, receiver: Tensor | Variable, call: Call) -> Value:
    return _gathered(run, "gather_nd", receiver, call)


def _gathered(run: Run, name: str, receiver: Tensor | Variable, call: Call) -> Value:
    indices = next(iter(call.values), UNKNOWN)
    value = Tensor(receiver.dtype, receiver.shape)
    found = functions.call(name, [value, indices], {}, lambda each: held_values.elements_of(run, each))
    return found if isinstance(found, Tensor) else Tensor(receiver.dtype)


def _none(run: Run, receiver: Tensor | Variable, call: Call) -> Value:
    return NONE


def _unknown_value(run: Run, receiver: Tensor | Variable, call: Call) -> Value:
    return UNKNOWN


_TENSOR: dict[str, Callable[[Run, Tensor | Variable, Call], Value]] = {
    "numpy": _numpy,
    "get_shape": _get_shape,
    "eval": _unknown_value,
    "consumers": _unknown_value,
    "experimental_ref": _unknown_value,
    "ref": _unknown_value,
}
_VARIABLE: dict[str, Callable[[Run, Tensor | Variable, Call], Value]] = {
    **_TENSOR,
    **dict.fromkeys(
        (
            "assign", "assign_add", "assign_sub", "batch_scatter_update", "scatter_add", "scatter_div", "scatter_max",
            "scatter_min", "scatter_mul", "scatter_nd_add", "scatter_nd_max", "scatter_nd_min", "scatter_nd_sub",
            "scatter_nd_update", "scatter_sub", "scatter_update",
        ),
        _changed,
    ),
    "read_value": _value,
    "read_value_no_copy": _value,
    "value": _value,
    "sparse_read": _rows_read,
    "gather_nd": _elements_read,
    "is_initialized": _unknown_value,
    "set_shape": _none,
}  # fmt: skip


# Static shapes


def _static_shape(run: Run, receiver: StaticShape, name: str, call: Call) -> Value:
    shape = receiver.shape
    sizes = shape or ()
    if name == "as_list" and shape is not None:
        return allocation.new_list(run, call.frame, held_values.sizes(shape), call.anchor)
    if name == "num_elements" and shape is not None and not {None, shapes.ANY} & set(sizes):
        return Constant(math.prod(size or 0 for size in sizes))
    if name == "is_fully_defined" and shape is not None and shapes.ANY not in sizes:
        return Constant(None not in sizes)
    if name in ("is_compatible_with", "is_fully_defined"):
        return Scalar(bool)
    if name in ("concatenate", "merge_with") and call.positional and shape is not None:
        other = call.positional[0]
        given = held_values.shape_given(run, other)
        if given is not None:
            return StaticShape((*shape, *given) if name == "concatenate" else shapes.merged(shape, given))
    if name in ("concatenate", "merge_with", "with_rank", "with_rank_at_least", "with_rank_at_most"):
        return StaticShape(shape if name.startswith("with_rank") else None)
    return STATIC
