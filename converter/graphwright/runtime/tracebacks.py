"""Drops our frames from tracebacks, and TensorFlow's if it filters its own. It changes nothing else of an error."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from graphwright import reporting
from graphwright.runtime.tensorflow import tf

Function = TypeVar("Function", bound=Callable[..., Any])
Failure = TypeVar("Failure", bound=BaseException)

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_TENSORFLOWS = tuple(
    os.path.dirname(os.path.abspath(path)) + os.sep
    for path in (tf.__file__, getattr(tf.keras, "__file__", None))
    if path
)


def strip(error: Failure) -> Failure:
    """The same error, its traceback and those of its causes without frames that aren't the user's."""
    if reporting.full_tracebacks():
        return error
    hidden = (_OURS, *_TENSORFLOWS) if tf.debugging.is_traceback_filtering_enabled() else (_OURS,)
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        current.__traceback__ = _stripped(current.__traceback__, hidden)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return error


def with_user_frames(function: Function) -> Function:
    """A decorator: errors of the function leave with the user's frames alone."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            raise strip(error)  # noqa: B904

    return call  # type: ignore[return-value]


def _stripped(trace: TracebackType | None, hidden: tuple[str, ...]) -> TracebackType | None:
    """The entries to show, linked anew; if none is the user's, all stay."""
    entries: list[TracebackType] = []
    current = trace
    while current is not None:
        if not current.tb_frame.f_code.co_filename.startswith(hidden):
            entries.append(current)
        current = current.tb_next
    if not entries:
        return trace
    result: TracebackType | None = None
    for entry in reversed(entries):
        result = TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result
