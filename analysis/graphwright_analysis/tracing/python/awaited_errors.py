"""`try` statements in graph code: which errors their handlers wait for.

What an operation raises when the graph runs reaches no handler around it; what tracing raises does.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from graphwright_analysis.tracing.facts import ErrorAwaited
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.values.domain import Api, Value

from . import expressions

_TRACING = frozenset(
    {
        "Exception", "BaseException", "AttributeError", "TypeError", "ValueError", "NotImplementedError",
        "RuntimeError", "NameError",
    }
)  # fmt: skip


def note_handlers(run: Run, frame: Frame, node: gast.Try) -> None:
    if not run.context.graph:
        return
    for handler in node.handlers:
        names = tuple(_names(run, frame, handler))
        awaited = tuple(name for name in names if name.startswith("tf.errors."))
        if awaited and handler.type is not None and len(awaited) == len(names):
            body = place_of(frame, node.body[0])
            run.note(ErrorAwaited(place_of(frame, handler.type), awaited, body))


def catches_tracing(run: Run, frame: Frame, node: gast.Try) -> bool:
    """Whether a handler takes what tracing the body may raise."""
    for handler in node.handlers:
        names = list(_names(run, frame, handler))
        if handler.type is None or not names or any(n in _TRACING or n.startswith("?") for n in names):
            return True
    return False


def _names(run: Run, frame: Frame, handler: gast.ExceptHandler) -> Iterator[str]:
    if handler.type is None:
        return
    parts = handler.type.elts if isinstance(handler.type, gast.Tuple) else [handler.type]
    for part in parts:
        value: Value = expressions.evaluate(run, frame, part)
        yield value.name if isinstance(value, Api) else "?"
