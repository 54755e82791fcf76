"""From an exception, the user's or TensorFlow's, to what a reader needs: type, sentence, the user's lines.

It doesn't decide whether something failed.
"""

from __future__ import annotations

import re
import sys
import traceback
from typing import Any

from .loading import Missing
from .places import frame_at, frames_in, frames_of, is_own, is_users, names_own, stack_of
from .wire import ReportedFailure, ReportedFrame

_NODE = re.compile(r"\n\t? *\[\[\{\{node [^\n]*\}\}\]\].*", re.DOTALL)
_DETECTED = re.compile(r"Detected at node .*?\nNode: '[^'\n]*'\n", re.DOTALL)
_DEFINED = re.compile(r"Detected at node \S+ defined at \(most recent call last\):\n(?:\s*File [^\n]*\n|\s*\n)*")
_GRAPH = re.compile(r"^Graph execution error:\s*")


def failure(error: BaseException, doing: str) -> ReportedFailure:
    """What to say of an exception that came while something was done."""
    kind = "Invalid request" if isinstance(error, Missing) else type(error).__name__
    return ReportedFailure(kind, message(error, doing), users_frames(error), printed(error))


def printed(error: BaseException) -> str:
    """The traceback without what the agent did to get there."""
    stack = rest = error.__traceback__
    while rest is not None:
        stack = rest.tb_next if is_own(rest.tb_frame.f_code.co_filename) else stack
        rest = rest.tb_next
    if stack is None:
        return "" if error.__cause__ is None else printed(error.__cause__)
    lines = "".join(traceback.format_exception(type(error), error, stack)).splitlines(keepends=True)
    # TensorFlow tells in a message where an operation was made, from the program's start on.
    return "".join(line for line in lines if not names_own(line))


def message(error: BaseException, doing: str) -> str:
    """The sentence for an exception."""
    if isinstance(error, SystemExit):
        return f"The code called sys.exit({error.code if error.code is not None else ''}) while {doing}."
    if isinstance(error, KeyboardInterrupt):
        return f"Interrupted while {doing}."
    if isinstance(error, MemoryError):
        return f"Python ran out of memory while {doing}. {error}".strip()
    if isinstance(error, RecursionError):
        return f"Infinite recursion: {error}."
    if isinstance(error, ModuleNotFoundError):
        return _missing_module(error)
    if isinstance(error, EOFError) and "EOF when reading" in str(error):
        return "The code calls input(), which isn't available here."
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({error.filename}, line {error.lineno})"
    return text_of(error)


def _missing_module(error: ModuleNotFoundError) -> str:
    name = (error.name or "").partition(".")[0]
    if name == "tensorflow":
        return f"TensorFlow isn't installed in {sys.executable}."
    if name and error.name == name:
        return f"{name} isn't installed in {sys.executable}, or isn't on its path."
    return str(error)


def text_of(error: BaseException) -> str:
    """The message without the stacks and node names that TensorFlow puts into it."""
    metadata: Any = getattr(error, "ag_error_metadata", None)
    cause = getattr(metadata, "cause_message", None)
    text = str(cause) if cause else str(getattr(error, "message", "") or error)
    if cause:
        text = text.removeprefix(f"{type(error).__name__}: ")
    text = _NODE.sub("", _DEFINED.sub("", _DETECTED.sub("", _GRAPH.sub("", text))))
    return text.strip() or type(error).__name__


def users_frames(error: BaseException) -> tuple[ReportedFrame, ...]:
    """The user's lines that an exception came through, the innermost last."""
    if isinstance(error, Missing):
        return users_frames(error.__cause__) if error.__cause__ is not None else ()
    metadata: Any = getattr(error, "ag_error_metadata", None)
    if isinstance(error, SyntaxError) and error.filename:
        return (frame_at(error.filename, error.lineno or 1, ""),)
    found = [*frames_of(stack_of(error))]
    if metadata is not None:
        inner = [
            frame_at(str(each.filename), int(each.lineno), str(each.function_name))
            for each in reversed(metadata.translated_stack)
            if each.is_converted or is_users(str(each.filename))  # Keras calls code that isn't converted
        ]
        found = merged(found, inner)
    built = [*frames_in(str(getattr(error, "message", "") or error))] if metadata is None else []
    return tuple(merged(found, built))


def merged(outer: list[ReportedFrame], inner: list[ReportedFrame]) -> list[ReportedFrame]:
    """Two stacks of one failure, the second of which says more of its end."""
    return [*(frame for frame in outer if frame not in inner), *inner]
