"""Reads the user's files within limits: only regular files, up to a size, without blocking.

What files contain and where they are is up to other modules.
"""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

MOST_BYTES = 32_000_000
"""The maximum size of a file; no source file and few notebooks come close."""

_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
_CHUNK = 1 << 16


class Unreadable(Exception):
    """A file whose text can't be read, with the reason in words."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def read_bytes(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """Return the contents of a regular file or of a link's target; raise `Unreadable`."""
    name = os.fspath(path)
    try:
        # Opening a device can have effects, and opening a named pipe can block: neither is opened.
        _refuse(name, os.stat(name), most)
        with open(name, "rb", buffering=0, opener=lambda path, _: os.open(path, _FLAGS)) as file:
            _refuse(name, os.fstat(file.fileno()), most)
            return _whole(name, file.fileno(), most)
    except FileNotFoundError:
        raise Unreadable(name, "no such file") from None
    except IsADirectoryError:
        raise Unreadable(name, "is a folder, not a file") from None
    except PermissionError:
        raise Unreadable(name, "permission denied") from None
    except (OSError, ValueError) as problem:
        raise Unreadable(name, getattr(problem, "strerror", None) or str(problem)) from None


def read_text(path: str | os.PathLike[str], errors: str = "strict", most: int = MOST_BYTES) -> str:
    """Return the UTF-8 text of a file, with LF line ends; raise `Unreadable`."""
    try:
        text = read_bytes(path, most).decode("utf-8", errors)
    except UnicodeDecodeError as problem:
        raise Unreadable(os.fspath(path), f"can't be decoded: {problem}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_stream(name: str, stream: BinaryIO, most: int = MOST_BYTES) -> bytes:
    """Return everything from a stream, until its end; raise `Unreadable` if it's too much."""
    data = stream.read(most + 1)
    if len(data) > most:
        raise _more_than(name, most)
    return data


def is_regular(path: str | os.PathLike[str]) -> bool:
    """True if `read_bytes` may read the path."""
    return os.path.isfile(path)


def stamp_of(path: str) -> tuple[int, int] | None:
    """The time and size of a file or folder on the disk, to detect changes; None if it doesn't exist."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def _refuse(path: str, status: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(path, f"is {_kind(status.st_mode)}, not a regular file")
    if status.st_size > most:
        raise Unreadable(path, f"has {status.st_size:,} bytes; a file of more than {most:,} isn't read")


def _more_than(path: str, most: int) -> Unreadable:
    return Unreadable(path, f"has more than {most:,} bytes, which isn't read")


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"


def _whole(path: str, handle: int, most: int) -> bytes:
    """Read all of an open file. Files of the system may have more content than their size says."""
    expected = min(os.fstat(handle).st_size, most)
    parts, size = list[bytes](), 0
    while part := os.read(handle, max(expected + 1 - size, _CHUNK)):
        parts.append(part)
        size += len(part)
        if size > most:
            raise _more_than(path, most)
    return parts[0] if len(parts) == 1 else b"".join(parts)
