"""Gradients that XLA computes wrongly without a word: of rows whose number only the run decides, in a loop.

An iteration keeps them for the gradient, and XLA forgets how many there were. Taking such a gradient raises here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from graphwright.runtime.basis.context import is_for_xla, is_in_loop
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import tracebacks

__all__ = ["not_to_be_derived", "refuse_gradients_of_rows"]


def refuse_gradients_of_rows() -> None:
    """Let gradients of what `tf.boolean_mask` picks in the body or branch of a loop raise; called at its end."""
    if not is_for_xla() or not is_in_loop():
        return
    graph = tf.compat.v1.get_default_graph()
    for operation in graph.get_operations():
        if operation.type == "Where":
            for rows in _rows_at(operation.outputs[0], 4):
                users = rows.consumers()
                guarded = not_to_be_derived(rows, _PICKED)
                for user in users:
                    for place, tensor in enumerate(user.inputs):
                        if tensor is rows:
                            user._update_input(place, guarded)


def _rows_at(places: Any, depth: int) -> Iterator[Any]:
    """Numbers of unknown count that are picked at some places."""
    for operation in places.consumers():
        result = operation.outputs[0] if operation.outputs else None
        if operation.type in _PICKING and result.dtype.is_floating and not result.shape.is_fully_defined():
            yield result
        elif operation.type in _PASSING and depth:
            yield from _rows_at(result, depth - 1)


def not_to_be_derived(rows: Any, message: str) -> Any:
    """Rows as they are; an error where their gradient is taken."""
    place = line_of(rows.op)

    @tf.custom_gradient
    def guarded(tensor: Any) -> tuple[Any, Callable[..., Any]]:
        def refuse(*_: Any) -> Any:
            raise TypeError(message.format(place))

        return tf.identity(tensor), refuse

    return guarded(rows)


def line_of(operation: Any) -> str:
    """The user's line that made an operation, as ` (file.py:3)`; "" if it isn't known."""
    for frame in reversed(list(operation.traceback or ())):
        if not tracebacks.is_hidden(frame.filename):
            return f" ({frame.filename.rpartition('/')[2]}:{frame.lineno})"
    return ""


_PICKED = (
    "XLA computes wrong gradients of rows that tf.boolean_mask or tf.where picks in a loop{}. Keep all rows, and use "
    "`tf.where(mask, rows, 0.0)`"
)
_PICKING = ("GatherV2", "GatherNd")
_PASSING = ("Squeeze", "Reshape", "Cast", "Identity", "StridedSlice")
