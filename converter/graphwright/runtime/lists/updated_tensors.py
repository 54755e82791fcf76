"""Tensors with some elements set, and variables, which change themselves."""

from __future__ import annotations

from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.context import is_tensor
from graphwright.runtime.basis.tensorflow import can_cast, tf

__all__ = ["set_variable", "updated"]


def set_variable(variable: Any, index: Any, value: Any) -> Any:
    if _basic(index):
        variable[index].assign(_broadcastable(value, variable[index]))
    else:
        variable.assign(updated(tf.convert_to_tensor(variable), index, value))
    return variable


def _broadcastable(value: Any, target: Any) -> Any:
    return tf.broadcast_to(_same_dtype(value, target.dtype), tf.shape(target))


def _basic(index: Any) -> bool:
    parts = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
    return all((isinstance(part, (int, slice)) and not isinstance(part, bool)) or part is ... for part in parts)


def updated(x: Any, index: Any, value: Any) -> Any:
    value = _same_dtype(value, x.dtype)
    index = _as_index(index)
    parts = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
    if all(_is_integer(part) for part in parts):
        return _scattered(x, parts, value)
    flat = tf.reshape(tf.range(tf.size(x)), tf.shape(x))
    places = flat[index]
    new = tf.tensor_scatter_nd_update(
        tf.reshape(x, [-1]),
        tf.reshape(places, [-1, 1]),
        tf.reshape(tf.broadcast_to(value, tf.shape(places)), [-1]),
    )
    return tf.ensure_shape(tf.reshape(new, tf.shape(x)), x.shape)


def _scattered(x: Any, parts: tuple[Any, ...], value: Any) -> Any:
    sizes = tf.shape(x)
    columns: list[Any] = []
    for axis, part in enumerate(parts):
        column = tf.cast(part, tf.int32)
        columns.append(tf.where(column < 0, column + sizes[axis], column))
    shape = tf.shape(columns[0])
    for column in columns[1:]:
        shape = tf.broadcast_dynamic_shape(shape, tf.shape(column))
    where = tf.stack([tf.broadcast_to(column, shape) for column in columns], axis=-1)
    value = tf.broadcast_to(value, tf.concat([shape, sizes[len(parts) :]], 0))
    if where.shape.rank == 1:
        where, value = where[None], value[None]
    return tf.tensor_scatter_nd_update(x, where, value)


def _as_index(index: Any) -> Any:
    """Lists of numbers and arrays index as tensors do."""
    if isinstance(index, tuple):
        return tuple(_as_index(part) for part in cast("tuple[Any, ...]", index))
    if isinstance(index, list) or (has_member(index.__class__, "__array__") and not is_tensor(index)):
        return tf.convert_to_tensor(index)
    return index


def _is_integer(part: Any) -> bool:
    if isinstance(part, bool):
        return False
    return isinstance(part, int) or (is_tensor(part) and part.dtype.is_integer)


def _same_dtype(value: Any, dtype: Any) -> Any:
    """A value as an element of this dtype: as in NumPy, precision may be lost without a word, but not the fraction."""
    if not is_tensor(value) or value.dtype == dtype:
        return tf.convert_to_tensor(value, dtype)
    if not can_cast(value.dtype.as_numpy_dtype, dtype.as_numpy_dtype, "same_kind") or tf.string in (value.dtype, dtype):
        raise TypeError(
            f"Can't assign {value.dtype.name} to an element of a {dtype.name} tensor. Cast the value with "
            f"`tf.cast(..., tf.{dtype.name})`."
        )
    return tf.cast(value, dtype)
