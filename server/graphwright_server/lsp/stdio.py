"""Messages over standard input and output: framing, and nothing that could garble it.

What a message means is the protocol's business.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator

_CHUNK = 1 << 16
_LENGTH = b"content-length"


class Pipe:
    """The two ends that the client holds, taken away from everything else in this process."""

    def __init__(self, reading: int, writing: int, broken: Callable[[], None]) -> None:
        self._reading = reading
        self._writing = writing
        self._broken = broken

    def write(self, data: bytes) -> None:
        """Send bytes; a client that is gone is reported, not raised."""
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._writing, view) :]
        except OSError:
            self._broken()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._writing)

    def read_in_background(self, deliver: Callable[[bytes | None], None]) -> None:
        """Deliver each message's body as it comes, then None; from a thread that no exit waits for."""

        def run() -> None:
            for body in bodies(self._chunks()):
                deliver(body)
            deliver(None)

        threading.Thread(target=run, name="reader", daemon=True).start()

    def _chunks(self) -> Iterator[bytes]:
        with contextlib.suppress(OSError):
            # Unbuffered: a buffer's lock, held by a waiting thread, would crash Python at exit.
            while chunk := os.read(self._reading, _CHUNK):
                yield chunk


def take_over(broken: Callable[[], None]) -> Pipe:
    """Keep the standard streams for messages: what else is printed goes to standard error."""
    reading, writing = os.dup(0), os.dup(1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(reading, os.O_BINARY)
        msvcrt.setmode(writing, os.O_BINARY)
    return Pipe(reading, writing, broken)


def bodies(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The bodies of the messages in a stream; a header without a length is skipped."""
    held = bytearray()
    for chunk in chunks:
        held += chunk
        while (message := _first_message(held)) is not None:
            body, used = message
            del held[:used]
            if body:
                yield body


def _first_message(held: bytearray) -> tuple[bytes, int] | None:
    end = held.find(b"\r\n\r\n")
    if end < 0:
        return None
    start = end + 4
    length = _length(bytes(held[:end]))
    if length is None:
        return b"", start
    if len(held) < start + length:
        return None
    return bytes(held[start : start + length]), start + length


def _length(header: bytes) -> int | None:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == _LENGTH and value.strip().isdigit():
            return int(value)
    return None
