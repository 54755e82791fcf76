"""What is raised where a function can't be converted: the reason in the user's words, at the user's line.

Errors of staged code while it is traced or run aren't here: those keep TensorFlow's and Python's own types.
"""

from __future__ import annotations

from graphwright.traces import FunctionTrace


class ConversionError(Exception):
    """A function that can't be converted; `file` is empty and `line` 0 where they aren't known."""

    def __init__(self, reason: str, file: str = "", line: int = 0) -> None:
        super().__init__(reason, file, line)
        self.reason = reason
        self.file = file
        self.line = line

    def __str__(self) -> str:
        if not self.file:
            return self.reason
        return f"{self.file}:{self.line}: {self.reason}" if self.line else f"{self.file}: {self.reason}"


class SourceMissing(ConversionError):
    """A function whose source can't be had. It may run as it is: only where a tensor decides something, that fails."""


class RetraceError(Exception):
    """A function is retraced where that isn't allowed; `trace` is the trace that was refused."""

    trace: FunctionTrace | None = None


class FrozenRandomWarning(UserWarning):
    """Random numbers of Python or NumPy were drawn while a branch or loop was traced, and stay the same."""


class FrozenStateWarning(UserWarning):
    """A Python number or text was counted up and read while a function was traced, and the graph keeps its value."""


class FrozenTimeWarning(UserWarning):
    """A clock was read while a branch or loop was traced, and its time stays the same."""
