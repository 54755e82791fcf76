"""Drops our frames from tracebacks, and TensorFlow's if it filters its own. It changes nothing else of an error."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, TracebackType
from typing import TypeVar

from graphwright import reporting
from graphwright.libraries import is_own_file, is_tensorflow_file
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors.branch_errors import refuse_from_branch
from graphwright.twins import codes_below

Raised = TypeVar("Raised", bound=BaseException)


def strip(error: Raised) -> Raised:
    """The same error, its traceback and those of its causes without frames that aren't the user's."""
    if reporting.full_tracebacks():
        return error
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        whole, current.__traceback__ = current.__traceback__, users_part(current.__traceback__)
        if sys.version_info < (3, 11) and whole is not None:
            # There a bare `raise` brings back the traceback that it had: its first entry stays.
            whole.tb_next = users_part(whole.tb_next)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return error


def caught() -> None:
    """Take our frames out of the traceback of the exception that is being handled, and of those before it."""
    error = sys.exc_info()[1]
    refuse_from_branch(error)
    seen: set[int] = set()
    while error is not None and id(error) not in seen and not reporting.full_tracebacks():
        seen.add(id(error))
        whole = error.__traceback__
        if has_own_frames(whole):
            error.__traceback__ = joined(whole, None, is_own_file)
            if sys.version_info < (3, 11) and whole is not None:
                # There `sys.exc_info` has the traceback as it was, which begins at the handler.
                whole.tb_next = joined(whole.tb_next, None, is_own_file)
        error = error.__cause__ or error.__context__


def has_own_frames(trace: TracebackType | None) -> bool:
    """Whether a traceback has frames of ours."""
    while trace is not None and not is_own_file(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace is not None


def is_hidden(file: str) -> bool:
    """Whether frames of a file aren't shown."""
    return is_own_file(file) or (is_tensorflow_file(file) and tf.debugging.is_traceback_filtering_enabled())


def shown_until(trace: TracebackType | None, last: TracebackType) -> TracebackType | None:
    """The user's entries up to one of them."""
    entries: list[TracebackType] = []
    while trace is not None and trace is not last:
        entries.append(trace)
        trace = trace.tb_next
    shown = [entry for entry in entries if not is_hidden(entry.tb_frame.f_code.co_filename)]
    return _linked([*shown, last], None)


def users_part(trace: TracebackType | None) -> TracebackType | None:
    """The entries that are the user's, linked again."""
    return joined(trace, None)


def joined(
    first: TracebackType | None, second: TracebackType | None, hidden: Callable[[str], bool] = is_hidden
) -> TracebackType | None:
    """The user's entries of one traceback, and after them another."""
    entries: list[TracebackType] = []
    while first is not None:
        if not hidden(first.tb_frame.f_code.co_filename):
            entries.append(first)
        first = first.tb_next
    return _linked(entries, second)


def is_part(inner: CodeType, outer: CodeType) -> bool:
    """Whether code is of a function that only the generated code of another has, such as a branch or an operand."""
    name = getattr(outer, "co_qualname", "")
    return (
        bool(name) and getattr(inner, "co_qualname", "") == name and any(code is inner for code in codes_below(outer))
    )


def _linked(entries: list[TracebackType], following: TracebackType | None) -> TracebackType | None:
    """Entries in front of others; of a function that goes on in a part of it there is the part's entry only."""
    inner = following
    for entry in reversed(entries):
        if inner is None or not is_part(inner.tb_frame.f_code, entry.tb_frame.f_code):
            following = _before(following, entry)
        inner = entry
    return following


def _before(following: TracebackType | None, entry: TracebackType) -> TracebackType:
    """An entry in front of others, in the line where it failed.

    TensorFlow makes entries anew with the last instruction that the frame has run, which is in a `finally` if there is
    one. Python shows the line of the instruction.
    """
    ran, line = entry.tb_lasti, entry.tb_lineno
    spans = [(start, start <= ran < end) for start, end, at in entry.tb_frame.f_code.co_lines() if at == line]
    if spans and not any(holds for _, holds in spans):
        ran = spans[0][0]
    return TracebackType(following, entry.tb_frame, ran, line)
