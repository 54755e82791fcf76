"""Python numbers and texts that a trace counts up and reads: the graph keeps the value of its trace, with a warning.

Which code counts is found where it is compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, cast

from graphwright.errors import FrozenStateWarning
from graphwright.runtime.basis.graph_notes import GraphNotes, outermost_graph
from graphwright.runtime.basis.python_values import was_python
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.functions.callers_frames import visible, warn_at
from graphwright.runtime.state.reachability import was_there

tracing_function: ContextVar[tuple[Any, ...]] = ContextVar("graphwright_tracing_function", default=())
"""The function that is traced, and what it is called with."""
_warned = GraphNotes()


def counts(read: Callable[[], Any], owner: Callable[[], Any] | None, text: str) -> None:
    """State is about to be changed by its old value, and is read elsewhere; `owner` gives the object that has it."""
    if tf.executing_eagerly() or not (known := tracing_function.get()):
        return
    try:
        value, holder = read(), None if owner is None else owner()
    except (AttributeError, LookupError, NameError):
        return
    warned: set[str] = _warned.setdefault(outermost_graph(), set())
    kind = "number" if tf.is_tensor(value) and was_python(value) else _KINDS.get(cast("Any", type(value)))
    if kind is None or text in warned or (owner is not None and not was_there(holder, known)):
        return
    warned.add(text)
    frame = visible(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
    if frame is not None:
        warn_at(frame, _TEXT.format(text, kind), FrozenStateWarning)


_KINDS: dict[type, str] = {int: "number", float: "number", str: "text"}
_TEXT = (
    "`{0}` is a Python {1} that changes while this function is traced, and is read: the graph uses the {1} of its "
    "trace in every call. Use a tf.Variable for `{0}`, or pass it as an argument."
)
