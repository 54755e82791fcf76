"""In which order elements come by their keys: numbers, or tuples of numbers, which are compared part by part."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

from graphwright.runtime.basis.context import is_tensor
from graphwright.runtime.basis.notation import type_text
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import dense, holds_tensor, is_sequence


def order_of(keys: Any, reverse: bool) -> Any:
    """The places of the elements in their order; `keys` is a vector, or a vector for each part. Equal ones stay."""
    columns: list[Any] = tf.nest.flatten(keys)
    for column in columns:
        if column.shape.rank not in (1, None):
            raise ValueError(f"sorted() needs scalar keys; these are {type_text(column.dtype, column.shape[1:])}")
        if column.dtype == tf.string:
            raise TypeError("sorted() can't order string tensors: give it a key that returns a number")
    direction = "DESCENDING" if reverse else "ASCENDING"
    order: Any = None
    for column in reversed(columns):
        column = column if order is None else tf.gather(column, order)
        by_column = tf.argsort(tf.cast(column, tf.int32) if column.dtype == tf.bool else column, -1, direction, True)
        order = by_column if order is None else tf.gather(order, by_column)
    return order


is_less: Callable[[Any, Any], Any] = operator.lt
"""What `<` gives, where a class of the user's may say it; set by `special_methods`."""


def order_of_list(keys: list[Any], reverse: bool) -> Any:
    """The same for the keys one by one: a Python list of places where no tensor has to be compared."""
    if not holds_tensor(keys):
        try:
            return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)
        except tf.errors.OperatorNotAllowedInGraphError:
            return _order_of_objects(keys, reverse)
    if not any(map(is_sequence, keys)):
        return order_of(as_vector(keys), reverse)
    try:
        return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)
    except (TypeError, ValueError):
        return order_of(_columns(keys), reverse)


def _order_of_objects(keys: list[Any], reverse: bool) -> Any:
    """The order of objects whose class compares tensors: how many come before each of them."""
    before = [tf.constant(0)] * len(keys)
    for later in range(len(keys)):
        for earlier in range(later):
            pair = (keys[earlier], keys[later]) if reverse else (keys[later], keys[earlier])
            moves = tf.cast(is_less(*pair), tf.int32)
            before[earlier] += moves
            before[later] += 1 - moves
    return tf.argsort(tf.stack(before), stable=True)


def _columns(keys: list[Any]) -> list[Any]:
    """The parts of tuples by their places."""
    lengths = {len(cast("tuple[Any, ...]", key)) if isinstance(key, (tuple, list)) else 0 for key in keys}
    columns = [[key[place] for key in keys] for place in range(lengths.pop())] if len(lengths) == 1 else []
    if not columns or any(is_sequence(part) or isinstance(part, str) for column in columns for part in column):
        raise TypeError("sorted() can only compare numbers here: give it a key that returns one: key=lambda p: p[0]")
    return list(map(as_vector, columns))


def as_vector(values: list[Any]) -> Any:
    """Python numbers with tensors take the tensors' dtype."""
    dtype = next((dense(value).dtype for value in values if is_tensor(value)), None)
    return tf.stack([tf.convert_to_tensor(value, dtype) for value in values])
