"""What looks for its caller's frame in a trace: `sys._getframe` and the `stacklevel` of `warnings.warn`.

They count the user's frames, as without Graphwright. `inspect` shows the stack as it is.
"""

from __future__ import annotations

import sys
import types
import warnings
from typing import Any

from graphwright.runtime.errors.tracebacks import is_hidden
from graphwright.runtime.text.messages import python_text


def users_frame(depth: int = 0, /) -> types.FrameType:
    """`sys._getframe(depth)`, called by converted code."""
    frame: types.FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    for _ in range(depth):
        frame = visible(frame and frame.f_back)
    if frame is None:
        raise ValueError("call stack is not deep enough")
    return frame


def warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **options: Any) -> None:
    """`warnings.warn`, called by converted code."""
    level, frame = 1, sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    for _ in range(stacklevel - 1):
        caller = visible(frame.f_back)
        level += _count(frame.f_back, caller)
        if caller is None:
            break
        frame = caller
    warnings.warn(python_text(message), category, stacklevel + level, source, **options)


def warn_at(frame: types.FrameType, text: str, category: type[Warning]) -> None:
    """Warn at the line of a frame."""
    warn_at_line(frame.f_globals, frame.f_code.co_filename, frame.f_lineno, text, category)


def warn_at_line(names: dict[str, Any], file: str, line: int, text: str, category: type[Warning]) -> None:
    """Warn at a line of the module with these globals."""
    registry = names.setdefault("__warningregistry__", {})
    warnings.warn_explicit(text, category, file, line, names.get("__name__", ""), registry)


def visible(frame: types.FrameType | None) -> types.FrameType | None:
    """The frame, or the next one around it that isn't Graphwright's or TensorFlow's."""
    while frame is not None and is_hidden(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _count(frame: types.FrameType | None, end: types.FrameType | None) -> int:
    """How many frames there are before `end`."""
    count = 0
    while frame is not end and frame is not None:
        frame = frame.f_back
        count += 1
    return count


INSTEAD: dict[Any, Any] = {sys._getframe: users_frame, warnings.warn: warn}  # pyright: ignore[reportPrivateUsage]
"""What is called instead of each."""
