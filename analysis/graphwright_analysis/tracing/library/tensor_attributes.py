"""Attributes of tensors, variables, arrays and dtypes.

Their methods are in `tensor_methods`; of ragged and sparse tensors `ragged_and_sparse` knows.
"""

from __future__ import annotations

from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values import dtypes, shapes
from graphwright_analysis.values.domain import (
    STATIC,
    UNKNOWN,
    Array,
    Composite,
    Constant,
    DType,
    KerasTensor,
    Method,
    StaticShape,
    Tensor,
    TensorArray,
    Tuple,
    Value,
    Variable,
)
from graphwright_analysis.values.keras_variables import KerasVariable
from graphwright_analysis.values.lost_shapes import LostShape, RanklessShape, RanklessTensor, ShapelessTensor

from . import ragged_and_sparse

ATTRIBUTES = frozenset({"dtype", "shape", "ndim"})
"""Those of a tensor or variable whose value is known."""
OF_ARRAYS = frozenset({"dtype", "element_shape"})
"""The same of a TensorArray."""


_STATIC: dict[type, type[StaticShape]] = {ShapelessTensor: LostShape, RanklessTensor: RanklessShape}
"""What the static shape of a tensor is that has lost it."""


def of_tensor(owner: Tensor | Variable | Array | Composite, name: str) -> Value:
    """What an attribute of a tensor, variable or array gives; a method where it isn't known to be anything else."""
    if isinstance(owner, Composite):
        found = ragged_and_sparse.attribute(owner, name)
        return Method(owner, name) if found is None else found
    if isinstance(owner, KerasVariable) and name in ("dtype", "value"):
        # Keras has names for dtypes, and the variable of TensorFlow's as `value`.
        known = STATIC if owner.dtype is None else Constant(owner.dtype)
        return Variable(owner.dtype, owner.shape) if name == "value" else known
    if name == "dtype":
        return DType(owner.dtype)
    if name == "shape":
        if isinstance(owner, (Array, KerasVariable)):
            return UNKNOWN if owner.shape is None else Tuple(tuple(map(held_values.size, owner.shape)))
        return _STATIC.get(type(owner), StaticShape)(owner.shape)
    if name == "T" and isinstance(owner, Array):
        return Array(owner.dtype, None if owner.shape is None else owner.shape[::-1])
    if name == "ndim":
        return UNKNOWN if owner.shape is None else Constant(len(owner.shape))
    if name in ("name", "device", "graph", "op"):
        return UNKNOWN
    return Method(owner, name)


def of_placeholder(owner: KerasTensor, name: str, *, keras_converts: bool) -> Value:
    """What an attribute of a placeholder of Keras' gives: with Keras 2 as TensorFlow has it."""
    if name == "shape":
        if owner.shape is None:
            return STATIC
        return StaticShape(owner.shape) if keras_converts else Tuple(held_values.sizes(owner.shape))
    if name == "dtype":
        if owner.dtype is None:
            return STATIC
        return DType(owner.dtype) if keras_converts else Constant(owner.dtype)
    return UNKNOWN


def of_tensor_array(owner: TensorArray, name: str) -> Value:
    """What an attribute of a TensorArray gives."""
    if name == "dtype":
        return DType(owner.dtype)
    return StaticShape(shapes.known_eagerly(owner.elements)) if name == "element_shape" else Method(owner, name)


def of_dtype(owner: DType, name: str) -> Value:
    """What an attribute of a dtype gives."""
    if owner.name is None:
        return STATIC
    known: dict[str, bool] = {
        "is_floating": owner.name in dtypes.FLOATS,
        "is_integer": owner.name in dtypes.INTEGERS,
        "is_bool": owner.name == "bool",
        "is_complex": owner.name in dtypes.COMPLEX,
    }
    if name in known:
        return Constant(known[name])
    return Constant(owner.name) if name == "name" else STATIC
