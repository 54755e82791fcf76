"""Python's `len` for tensors, datasets and growing lists. It counts; it iterates over nothing."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.births import reads_collection
from graphwright.runtime.basis.context import is_staging, is_tensor
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.missing_keys import has_missing_keys
from graphwright.runtime.basis.python_values import counted
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, dense
from graphwright.runtime.builtins.given_functions import own_method
from graphwright.runtime.errors import failures
from graphwright.runtime.state.partial_dicts import count_keys


def length(value: Any, /) -> Any:
    """`len(value)`: a Python int where the graph knows it, else a scalar int32 tensor."""
    return counted(_length(current(value)))


def _length(value: Any) -> Any:
    if not is_staging():
        return _ragged_length(value) if isinstance(value, tf.RaggedTensor) else builtins.len(value)
    kind = cast("Any", type(value))
    if kind in _SEQUENCES:
        return builtins.len(value)
    if has_member(kind, "graphwright_truth"):
        return value.length()
    if has_member(kind, "graphwright_items"):
        known = value.static_length()
        return value.length() if known is None else known
    if has_missing_keys(value):
        return count_keys(value)
    reads_collection(value)
    if issubclass(kind, _COUNTED):
        return next(count(value) for of, count in _COUNTED_BY if issubclass(kind, of))
    if acts_as_tensor(value) and (is_tensor(value) or not has_member(kind, "__len__")):
        tensor = dense(value)
        if tensor.dtype == tf.string and tensor.shape.rank == 0:
            raise TypeError("Scalar tensor has no `len()`; write tf.strings.length(x) for the length of a string")
        return _static(tensor.shape, lambda: tf.shape(tensor)[0])
    own = own_method(value, "__len__")
    if own is not None:
        return own(value)
    return builtins.len(value)


def _static(shape: Any, dynamic: Any) -> Any:
    if shape.rank == 0:
        raise TypeError("Scalar tensor has no `len()`")
    rows = None if shape.rank is None else shape[0]
    return dynamic() if rows is None else rows


def _ragged_length(value: Any) -> Any:
    return _static(value.shape, lambda: tf.cast(value.nrows(), tf.int32))


def _dataset_length(dataset: Any) -> Any:
    cardinality = dataset.cardinality()
    known = tf.get_static_value(cardinality)
    if known is not None:
        return int(known)
    check = failures.check(cardinality >= 0, TypeError, "len() of a dataset that is infinite or of unknown length")
    with tf.control_dependencies([check]):
        return tf.cast(cardinality, tf.int32)


_COUNTED_BY: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (tf.RaggedTensor, _ragged_length),
    (tf.TensorArray, lambda array: array.size()),
    (tf.data.Dataset, _dataset_length),
    (tf.SparseTensor, lambda value: _static(value.shape, lambda: tf.cast(value.dense_shape[0], tf.int32))),
)
_COUNTED = tuple(of for of, _ in _COUNTED_BY)
_SEQUENCES = frozenset((list, tuple, str, bytes, range))
