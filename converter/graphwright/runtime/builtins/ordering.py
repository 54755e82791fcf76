"""Python's `sorted` for tensors and for lists of which some elements are tensors. It picks no extremes."""

from __future__ import annotations

import builtins
from typing import Any, cast

from graphwright.runtime.basis.context import is_staging
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, dense, vector
from graphwright.runtime.builtins.extremes import callable_key, per_element
from graphwright.runtime.lists.comprehensions import as_list, whole
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.orders import as_vector, order_of, order_of_list
from graphwright.runtime.lists.staged_sequences import Staged, static_length
from graphwright.runtime.lists.subscripts import rearranged


def in_order(values: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    """`sorted(values)`: a list where the number of elements is known while tracing, else a sorted tensor."""
    if not is_staging():
        return builtins.sorted(values, key=key, reverse=reverse)
    values = whole(values)
    if acts_as_tensor(reverse):
        raise TypeError("sorted() needs a Python value for `reverse`; use tf.cond to choose between two sorts")
    if isinstance(values, (tf.data.Dataset, Staged)):
        values = as_list(values) if static_length(values) is None else list(values)
    if isinstance(values, GraphList) and not values.element.simple:
        records = values.as_list()
        records.sort(key=callable_key(key), reverse=reverse)
        return records
    if acts_as_tensor(values):
        tensor = dense(values)
        return _sorted_tensor(vector(tensor), tensor.shape.rank or 1, callable_key(key), reverse)
    elements = list(values)
    key = callable_key(key)
    keys = [key(element) for element in elements] if key else elements
    return _sorted_list(elements, keys, reverse)


def _sorted_tensor(elements: Any, rank: int, key: Any, reverse: bool) -> Any:
    if elements.dtype in (tf.bool, tf.string) and key is None:
        raise TypeError(f"sorted() can't order {elements.dtype.name} tensors: '<' isn't defined for them; give a key")
    if key is None:
        result = tf.sort(elements, direction=_direction(reverse))
    else:
        result = tf.gather(elements, order_of(per_element(key, elements), reverse))
    if rank > 1:
        result = tf.reshape(result, [-1] + [1] * (rank - 1))
    return result if result.shape[0] is None else tf.unstack(result)


def _sorted_list(elements: list[Any], keys: list[Any], reverse: bool) -> list[Any]:
    order = order_of_list(keys, reverse)
    if isinstance(order, list):
        return [elements[place] for place in cast("list[int]", order)]
    found = rearranged(elements, order)
    if found is not None:
        return found
    for element in elements[1:]:
        tf.nest.assert_same_structure(elements[0], element)
    parts = zip(*(tf.nest.flatten(element) for element in elements), strict=True)
    columns = [tf.unstack(tf.gather(as_vector(list(part)), order), num=len(elements)) for part in parts]
    return [tf.nest.pack_sequence_as(elements[0], list(row)) for row in zip(*columns, strict=True)]


def _direction(reverse: bool) -> str:
    return "DESCENDING" if reverse else "ASCENDING"
