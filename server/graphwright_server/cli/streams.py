"""Standard input, output and error as the command line needs them, also if they are closed or can't be written to.

It doesn't know what is printed. It imports the standard library alone.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from typing_extensions import Buffer

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO) if sys.platform != "win32" else (errno.ENOSPC,)


def prepare() -> None:
    """Let the streams print any character, and replace those that are closed."""
    _fill_closed_descriptors()
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _fill_closed_descriptors() -> None:
    # Otherwise the next file that is opened, such as the cache, becomes the output of whatever writes there.
    if None in (sys.stdin, sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
                pass
            os.close(descriptor)


def outlive_reader() -> None:
    """Let standard output drop what nobody reads any more, as after `| head -1`, so that the exit code stays true."""
    raw = _raw_output()
    if not isinstance(raw, io.FileIO) or isinstance(raw, _OptionalOutput):
        return
    before = cast("io.TextIOWrapper", sys.stdout)
    before.flush()
    output = _OptionalOutput(raw.fileno(), "wb", closefd=False)
    sys.stdout = io.TextIOWrapper(
        cast("io.BufferedWriter", output) if cast(object, before.buffer) is raw else io.BufferedWriter(output),
        encoding=before.encoding,
        errors=before.errors,
        line_buffering=before.line_buffering,
        write_through=before.write_through,
    )


def has_reader() -> bool:
    """False once something was written that nobody reads."""
    raw = _raw_output()
    return not (isinstance(raw, _OptionalOutput) and raw.is_unread)


class _OptionalOutput(io.FileIO):
    """A descriptor that swallows what is written to it after its reader has left."""

    is_unread = False

    def write(self, data: Buffer, /) -> int | None:
        if not self.is_unread:
            try:
                return super().write(data)
            except BrokenPipeError:
                self.is_unread = True
        return memoryview(data).nbytes


def _raw_output() -> object:
    output: object = sys.stdout
    buffer = cast("io.TextIOWrapper", output).buffer if isinstance(output, io.TextIOWrapper) else None
    return getattr(buffer, "raw", buffer)  # with PYTHONUNBUFFERED there is no buffer


def is_failed_output(error: OSError) -> bool:
    """True if standard output couldn't be written: errors of the user's files carry their names."""
    return error.errno in _NO_ROOM and error.filename is None


def drop_output() -> None:
    """Stop writing to standard output: Python flushes it once more when it exits, and would print an error."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
