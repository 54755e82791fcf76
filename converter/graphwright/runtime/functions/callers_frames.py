"""What looks for its caller's frame in a trace: `sys._getframe` and the `stacklevel` of `warnings.warn`.

They count the user's frames, as without Graphwright. `inspect` shows the stack as it is.
"""

from __future__ import annotations

import sys
import types
import warnings
from typing import Any

from graphwright.libraries import is_standard_file
from graphwright.runtime.errors.tracebacks import is_hidden, is_part
from graphwright.runtime.text.messages import python_text

_LIBRARIES = frozenset(("absl", "inspect", "logging", "pdb", "traceback", "unittest", "warnings"))
_FRAMES = frozenset(("_getframe", "_getframemodulename", "currentframe"))


def looks_for_frames(function: types.FunctionType) -> bool:
    """Whether a library's function looks for its caller's frame, and would find ours: `collections.namedtuple` does."""
    if (function.__module__ or "").split(".")[0] in _LIBRARIES:
        return True
    if not is_standard_file(function.__code__.co_filename):
        return False
    names = function.__code__.co_names
    called = (getattr(function.__globals__.get(name), "__code__", None) for name in names)
    return not _FRAMES.isdisjoint((*names, *(name for code in called if code for name in code.co_names)))


def users_frame(depth: int = 0, /) -> types.FrameType:
    """`sys._getframe(depth)`, called by converted code."""
    frame: types.FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    frame = frame and _whole(frame)
    for _ in range(depth):
        frame = frame and _caller(frame)
    if frame is None:
        raise ValueError("call stack is not deep enough")
    return frame


def warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **options: Any) -> None:
    """`warnings.warn`, called by converted code."""
    level, frame = 1, sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    for _ in range(stacklevel - 1):
        caller = _caller(_whole(frame))
        level += _count(frame.f_back, caller)
        if caller is None:
            break
        frame = caller
    warnings.warn(python_text(message), category, max(stacklevel, 1) + level, source, **options)


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


def _caller(frame: types.FrameType) -> types.FrameType | None:
    """The frame of the user's function that called another."""
    caller = visible(frame.f_back)
    return caller and _whole(caller)


def _whole(frame: types.FrameType) -> types.FrameType:
    """The frame of the function that a branch or an operand with a frame of its own is part of."""
    around = visible(frame.f_back)
    while around is not None and is_part(frame.f_code, around.f_code):
        frame, around = around, visible(around.f_back)
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
