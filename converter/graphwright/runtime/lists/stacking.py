"""Lists that grow where TensorFlow wants one tensor: their elements stacked, or joined where `tf.concat` asks.

How a list is kept is not its business.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.context import is_for_xla
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.whole_lists import padded, stacked

__all__ = ["added", "concatenated"]


def concatenated(xs: GraphList, axis: Any = 0) -> Any:
    """The elements joined along an axis, as tf.concat of a Python list: along the first their sizes may differ."""
    if not xs.element.simple:
        raise TypeError(f"{xs.name} holds elements with structure; join each part separately.")
    leaf = xs.element.leaves[0]
    if isinstance(axis, int) and axis == 0:
        if leaf.shape.rank and (leaf.shape.is_fully_defined() or is_for_xla()):
            rows = stacked(xs)
            return tf.reshape(rows, tf.concat([[-1], tf.shape(rows)[2:]], 0))
        shape = leaf.shape.as_list() if leaf.shape.rank is not None else None
        result = tf.raw_ops.TensorListConcatV2(
            input_handle=xs.store.unbounded(xs.element.leaves).handles[0],
            element_shape=tf.constant(-1 if shape is None else [-1 if size is None else size for size in shape]),
            leading_dims=tf.constant([], tf.int64),
            element_dtype=leaf.dtype,
        )[0]
        if shape is not None:
            result.set_shape([None, *shape[1:]])
        return result
    together = stacked(xs)
    rank = together.shape.rank - 1
    place = axis % rank
    moved = tf.transpose(together, [*range(1, place + 1), 0, *range(place + 1, rank + 1)])
    sizes = tf.shape(together)
    return tf.reshape(moved, tf.concat([sizes[1 : place + 1], [-1], sizes[place + 2 :]], 0))


def _axis_of_concat(xs: GraphList) -> Any:
    """The axis, if it is `tf.concat(xs, axis)` that asks for a tensor.

    It takes what is no Python list for a single tensor and would give the list stacked, without a word.
    """
    frame = _call_of(_CONCAT)
    caller = frame
    while caller is not None and "args" not in caller.f_locals:
        caller = caller.f_back
    if frame is None or caller is None:
        return None
    given = [*caller.f_locals["args"][:1], caller.f_locals.get("kwargs", {}).get("values")]
    return frame.f_locals["axis"] if any(value is xs for value in given) else None


def _call_of(code: Any) -> Any:
    """The innermost active call of a function, if any."""
    frame: Any = inspect.currentframe()
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame


_CONCAT = inspect.unwrap(tf.concat).__code__
_RAGGED_STACK = inspect.unwrap(tf.ragged.stack).__code__


def _items(frame: Any) -> tuple[Any, ...]:
    values: Any = frame.f_locals["values"]
    return tuple(values) if type(values) in (list, tuple) else ()


def _as_tensor(xs: GraphList, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    del name, as_ref
    ragged = _call_of(_RAGGED_STACK)
    if ragged is not None and any(value is xs for value in (ragged.f_locals["values"], *_items(ragged))):
        raise TypeError(
            f"tf.ragged.stack would take {xs.name}, which grows in the graph, for a single row: keep the lengths of "
            "the rows in a list, too, and use tf.RaggedTensor.from_row_lengths(tf.concat(rows, 0), tf.stack(lengths))"
        )
    axis = _axis_of_concat(xs)
    tensor = stacked(xs) if axis is None else concatenated(xs, axis)
    if dtype is not None and tensor.dtype != dtype:
        return NotImplemented
    return tensor


tf.register_tensor_conversion_function(GraphList, _as_tensor)


class _Lists(tf.__internal__.dispatch.GlobalOpDispatcher):
    """Calls functions of TensorFlow that take a Python list alone with what a list that grows comes to."""

    def handle(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        instead = _INSTEAD.get(op)
        if instead is None:
            return self.NOT_SUPPORTED
        given = inspect.signature(instead).bind(*args, **kwargs)
        return instead(*args, **kwargs) if isinstance(given.args[0], GraphList) else self.NOT_SUPPORTED


def _stack(values: Any, axis: int = 0, name: str | None = "stack") -> Any:
    """`tf.stack` along another axis than the first."""
    together = stacked(values)
    rank = together.shape.rank
    if rank is None:
        raise ValueError(f"tf.stack along axis {axis} needs to know how many dimensions the elements have")
    place = axis % rank
    return tf.transpose(together, [*range(1, place + 1), 0, *range(place + 1, rank)], name=name)


def _join(inputs: Any, separator: str = "", name: str | None = None) -> Any:
    """`tf.strings.join`."""
    return tf.strings.reduce_join(stacked(inputs), 0, separator=separator, name=name)


def added(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """`tf.add_n` for a list that grows, too; None for another function. TensorFlow would iterate over the list."""
    if function not in (tf.add_n, tf.math.accumulate_n):
        return None

    def add(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        inputs = current(inputs)
        if isinstance(inputs, GraphList):
            return tf.reduce_sum(padded(inputs), 0)
        return function(inputs, *args, **kwargs)

    return add


_INSTEAD = {tf.stack: _stack, tf.strings.join: _join}
_Lists().register()
