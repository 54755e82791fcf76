"""Gradients that XLA computes wrongly without a word: of rows whose number only the run decides, in a loop.

An iteration keeps them for the gradient, and XLA forgets how many there were. Taking such a gradient raises here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import tracebacks

__all__ = ["line_of", "not_to_be_derived"]


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
