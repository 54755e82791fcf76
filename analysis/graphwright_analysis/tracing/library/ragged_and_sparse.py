"""Ragged and sparse tensors: what their attributes and methods give.

Of the shape of one only what holds for every ragged rank is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import (
    NONE,
    UNKNOWN,
    Composite,
    Constant,
    DType,
    Scalar,
    StaticShape,
    Tensor,
    Value,
    dtype_of,
)
from graphwright_analysis.values.shapes import ANY, known_eagerly
from graphwright_analysis.values.tensorflow import functions

Named = Mapping[str, Value]
RAGGED: Final = "RaggedTensor"
SPARSE: Final = "SparseTensor"

COMPOSITES: dict[str, tuple[Literal["RaggedTensor", "SparseTensor"], tuple[str, ...]]] = {
    "tf.ragged.constant": (RAGGED, ("pylist", "dtype")),
    "tf.SparseTensor": (SPARSE, ("indices", "values")),
    "tf.sparse.SparseTensor": (SPARSE, ("indices", "values")),
    "tf.sparse.from_dense": (SPARSE, ("tensor",)),
    "tf.RaggedTensor.from_nested_row_lengths": (RAGGED, ("flat_values",)),
    "tf.RaggedTensor.from_nested_row_splits": (RAGGED, ("flat_values",)),
    "tf.RaggedTensor.from_nested_value_rowids": (RAGGED, ("flat_values",)),
    "tf.RaggedTensor.from_row_lengths": (RAGGED, ("values",)),
    "tf.RaggedTensor.from_row_limits": (RAGGED, ("values",)),
    "tf.RaggedTensor.from_row_splits": (RAGGED, ("values",)),
    "tf.RaggedTensor.from_row_starts": (RAGGED, ("values",)),
    "tf.RaggedTensor.from_sparse": (RAGGED, ("st_input",)),
    "tf.RaggedTensor.from_tensor": (RAGGED, ("tensor",)),
    "tf.RaggedTensor.from_uniform_row_length": (RAGGED, ("values",)),
    "tf.RaggedTensor.from_value_rowids": (RAGGED, ("values",)),
}
"""What makes a ragged or sparse tensor, and the parameters that say of which dtype."""


def make(run: Run, name: str, call: Call) -> Value:
    """What one of them gives."""
    kind, names = COMPOSITES[name]
    given = call.by_name(*names)
    asked = given.get("dtype", NONE)
    if asked != NONE:
        return Composite(kind, functions.named_dtype(asked))
    # The dtype is that of the values: the last of the parameters, but for a dtype that isn't given.
    values = next((given[each] for each in reversed(names) if each != "dtype" and each in given), UNKNOWN)
    return Composite(kind, _dtype(run, values))


def attribute(owner: Composite, name: str) -> Value | None:
    """What is known of an attribute of a ragged or sparse tensor."""
    found = _ATTRIBUTES.get(owner.kind, {}).get(name)
    return None if found is None else found(owner)


def method(run: Run, receiver: Composite, name: str, call: Call) -> Value:
    """What a method of a ragged or sparse tensor gives."""
    handler = _METHODS.get(receiver.kind, {}).get(name)
    return UNKNOWN if handler is None else handler(run, receiver, call)


def handled(kind: str) -> frozenset[str]:
    """The methods and attributes that are known of RaggedTensor or SparseTensor."""
    made = {name.rpartition(".")[2] for name in COMPOSITES if name.startswith(f"tf.{kind}.")}
    return frozenset(_METHODS[kind]) | frozenset(_ATTRIBUTES[kind]) | made


def _same(run: Run, receiver: Composite, call: Call) -> Value:
    return receiver


def _with_values(run: Run, receiver: Composite, call: Call) -> Value:
    values = next(iter(call.values), UNKNOWN)
    return Composite(receiver.kind, _dtype(run, values))


def _dtype(run: Run, values: Value) -> str | None:
    return dtype_of(values) if isinstance(values, Composite) else held_values.as_tensor(run, values).dtype


def _to_sparse(run: Run, receiver: Composite, call: Call) -> Value:
    return Composite(SPARSE, receiver.dtype)


def _to_tensor(run: Run, receiver: Composite, call: Call) -> Value:
    given = call.by_name("default_value", "name", "shape")
    wanted = held_values.shape_given(run, given.get("shape", UNKNOWN))
    return Tensor(receiver.dtype, known_eagerly(wanted))


def _row_lengths(run: Run, receiver: Composite, call: Call) -> Value:
    axis = call.argument(0, "axis", Constant(1))
    if axis == Constant(0):
        return Tensor(None, ())
    return _splits(receiver) if axis == Constant(1) else UNKNOWN


def _per_row(run: Run, receiver: Composite, call: Call) -> Value:
    return _splits(receiver)


def _nrows(run: Run, receiver: Composite, call: Call) -> Value:
    given = call.by_name("out_type")
    return Tensor(_asked(given), ())


def _bounding_shape(run: Run, receiver: Composite, call: Call) -> Value:
    given = call.by_name("axis", "name", "out_type")
    axis = given.get("axis", NONE)
    if axis == NONE:
        return Tensor(_asked(given), (ANY,))
    if isinstance(axis, Constant):
        return Tensor(_asked(given), ())
    axes = held_values.elements_of(run, axis)
    return Tensor(_asked(given), None if axes is None else (len(axes),))


def _asked(given: Mapping[str, Value]) -> str | None:
    """The dtype that is asked for; else it is that of the row splits, int32 or int64."""
    return functions.named_dtype(given["out_type"]) if given.get("out_type", NONE) != NONE else None


def _static(run: Run, receiver: Composite, call: Call) -> Value:
    return StaticShape(None)


def _splits(owner: Composite) -> Value:
    return Tensor(None, (ANY,))


_Handler = Callable[[Run, Composite, Call], Value]
_METHODS: dict[str, dict[str, _Handler]] = {
    RAGGED: {
        "get_shape": _static,
        "to_tensor": _to_tensor,
        "to_sparse": _to_sparse,
        "with_values": _with_values,
        "with_flat_values": _with_values,
        "with_row_splits_dtype": _same,
        "row_lengths": _row_lengths,
        "row_starts": _per_row,
        "row_limits": _per_row,
        "value_rowids": _per_row,
        "nrows": _nrows,
        "bounding_shape": _bounding_shape,
    },
    SPARSE: {"get_shape": _static, "with_values": _with_values},
}
_ATTRIBUTES: dict[str, dict[str, Callable[[Composite], Value]]] = {
    RAGGED: {
        "dtype": lambda owner: DType(owner.dtype),
        "shape": lambda owner: StaticShape(None),
        "flat_values": lambda owner: Tensor(owner.dtype),
        "row_splits": _splits,
        "ragged_rank": lambda owner: Scalar(int),
    },
    SPARSE: {
        "dtype": lambda owner: DType(owner.dtype),
        "shape": lambda owner: StaticShape(None),
        "values": lambda owner: Tensor(owner.dtype, (ANY,)),
        "indices": lambda owner: Tensor("int64", (ANY, ANY)),
        "dense_shape": lambda owner: Tensor("int64", (ANY,)),
    },
}
