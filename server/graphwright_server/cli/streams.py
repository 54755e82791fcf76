"""Standard input, output and error as the command line needs them, also if they are closed or can't be written to.

It doesn't know what is printed. It imports the standard library alone.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys

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


def is_failed_output(error: OSError) -> bool:
    """True if standard output couldn't be written: errors of the user's files carry their names."""
    return error.errno in _NO_ROOM and error.filename is None


def drop_output() -> None:
    """Stop writing to standard output: Python flushes it once more when it exits, and would print an error."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
