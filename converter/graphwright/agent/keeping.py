"""Keeps the user's Python ready: starts a process for each request, passes on what it says, ends what it has started.

It imports no TensorFlow and runs nothing of the user's. When the server ends, however it does, its input ends: then it
ends every process that descends from it, and itself.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from . import serving, system, warming
from .wire import (
    CANCEL,
    ENDED,
    MOST_OUTPUT,
    OUTPUT,
    REPORT,
    REQUEST,
    RUNNING,
    LineBuffer,
    RecordKind,
    decoded,
    encoded,
    is_kind,
)

_PIECE = 1 << 16
_TICK = 20
"""Milliseconds between two looks at whether a process has ended."""
_LATEST_OUTPUT = 0.5
"""Seconds for what was printed to arrive, once nobody is left who prints."""


def keep(idle: float, libraries: Mapping[str, str]) -> int:
    """Serve requests until the server is gone or has asked for nothing for so many seconds; warm where that isn't 0."""
    system.adopt_orphans()
    keeper = _Keeper(libraries, is_warm=idle > 0)
    try:
        while (line := keeper.next_request(idle or None)) is not None:
            keeper.run(line)
            if not idle:
                break
    except (BrokenPipeError, _ServerGone):
        pass
    finally:
        system.end_descendants()
    return 0


class _ServerGone(Exception):
    """The server has ended, or closed its side."""


@dataclass
class _Run:
    """One process at work: the ends of its pipes here, and what it has printed and said so far."""

    secret: str
    process: int
    feeding: int
    records: int
    output: int
    lines: LineBuffer = field(default_factory=LineBuffer)
    decoder: Any = field(default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"))
    printed: int = 0
    has_reported: bool = False


class _Keeper:
    def __init__(self, libraries: Mapping[str, str], is_warm: bool) -> None:
        self._libraries = libraries
        self._template = warming.start(libraries) if is_warm else None
        self._input = LineBuffer()
        self._requests: list[bytes] = []
        self._is_cancelled = False

    def next_request(self, idle: float | None) -> bytes | None:
        """The next request; None when there was none for too long."""
        until = None if idle is None else time.monotonic() + idle
        while not self._requests:
            left = None if until is None else max(until - time.monotonic(), 0.0)
            if left == 0.0:
                return None
            self._listen(select.select([0, *self._warming()], [], [], left)[0])
        return self._requests.pop(0)

    def run(self, line: bytes) -> None:
        """Start a process for a request, pass on what it says, and end it with all that it has started."""
        secret = str(decoded(line)[1].get("secret"))
        self._is_cancelled = False
        while self._warming() and not self._is_cancelled:
            self._listen(select.select([0, *self._warming()], [], [])[0])
        if self._is_cancelled:
            self._tell(secret, ENDED, None)
            return
        run = self._started(secret, line)
        self._tell(secret, RUNNING, self._template.process if self._template is not None else 0)
        try:
            self._feed(run, line)
            while not run.has_reported and not self._is_cancelled and not system.has_ended(run.process):
                self._pass_on(run, _TICK)
            self._pass_on(run, 0)
            status = self._end(run)
            until = time.monotonic() + _LATEST_OUTPUT
            while self._pass_on(run, 0) and time.monotonic() < until:
                pass
            self._tell(secret, ENDED, {"status": status, "left_out": max(run.printed - MOST_OUTPUT, 0)})
        finally:
            for descriptor in (run.feeding, run.records, run.output):
                os.close(descriptor)

    def _started(self, secret: str, line: bytes) -> _Run:
        reading, feeding = os.pipe()
        records, writing = os.pipe()
        output, printing = os.pipe()
        theirs = (reading, writing, printing)
        process = None
        if self._template is not None:
            try:
                process = self._template.fork(theirs)
            except OSError:
                self._template = None
        if process is None:
            process = serving.fork(theirs, [feeding, records, output])
        for descriptor in theirs:
            os.close(descriptor)
        return _Run(secret, process, feeding, records, output)

    def _feed(self, run: _Run, line: bytes) -> None:
        """The request may be longer than the pipe, and a process that ends doesn't read it."""
        left = memoryview(line)
        with contextlib.suppress(BrokenPipeError):
            while left:
                left = left[os.write(run.feeding, left) :]

    def _pass_on(self, run: _Run, patience: int) -> bool:
        """Pass on what the process says and prints within so many milliseconds; whether there was anything."""
        ready = select.select([0, run.records, run.output], [], [], patience / 1000)[0]
        self._listen([0] if 0 in ready else [])
        passed = False
        if run.records in ready and (chunk := os.read(run.records, _PIECE)):
            passed = True
            for line in run.lines.feed(chunk):
                run.has_reported |= is_kind(line, REPORT, run.secret)
                _write(line)
        if run.output in ready and (chunk := os.read(run.output, _PIECE)):
            passed = True
            room = max(MOST_OUTPUT - run.printed, 0)
            run.printed += len(chunk)
            if room:
                self._tell(run.secret, OUTPUT, run.decoder.decode(chunk[:room]))
        if not passed and run.records in ready and run.output in ready and patience:
            time.sleep(patience / 1000)  # both are closed, and the process goes on
        return passed

    def _end(self, run: _Run) -> int | None:
        """End the process and all that it has started; how it has ended."""
        if self._template is None:
            return system.end_descendants(child=run.process)
        system.end_descendants(frozenset({self._template.process}))
        status = self._template.status()
        if status is None:
            self._template = warming.start(self._libraries)  # it was ended, from outside or by the user's code
        return status

    def _warming(self) -> list[int]:
        """What to wait for while TensorFlow is imported."""
        return [self._template.channel.fileno()] if self._template is not None and self._template.is_fit is None else []

    def _listen(self, ready: list[int]) -> None:
        """Hear what the server and the template have said."""
        if self._template is not None and self._template.channel.fileno() in ready:
            self._template.listen()
            self._template = self._template if self._template.is_fit else None
        if 0 not in ready:
            return
        chunk = os.read(0, _PIECE)
        if not chunk:
            raise _ServerGone
        for line in self._input.feed(chunk):
            kind = decoded(line)[0]
            self._is_cancelled |= kind == CANCEL
            if kind == REQUEST:
                self._requests.append(line)

    def _tell(self, secret: str, kind: RecordKind, value: Any) -> None:
        _write(encoded(kind, value, secret))


def _write(line: bytes) -> None:
    left = memoryview(line)
    while left:
        left = left[os.write(1, left) :]
