"""Processes in the user's Python that wait for requests: starting, reusing, replacing and ending them.

Requests and their answers are defined in `agent`, the work of these processes in `graphwright.agent`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import queue
import secrets
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, cast

from graphwright.agent import wire

from . import processes
from .environments import environment_of

IDLE = 15 * 60.0
"""The number of seconds without a request after which a process ends."""
MOST = 2
"""The maximum number of waiting processes: each has TensorFlow in memory."""

DUMP = "dump"
"""The kind of messages on the channel that aren't records: Python's own dump of its stack."""

_OPTIONS = ("-X", "utf8")
_LIBRARIES = ("graphwright", "graphwright_analysis", "gast")
_PIECE = _MOST_DUMPED = 1 << 16
_PATIENCE = 2.0


class Keepers:
    """The waiting processes of one server. A process whose environment has changed since its start is replaced."""

    def __init__(self, idle: float = 0.0) -> None:
        self.idle = idle
        self._waiting: dict[object, Keeper] = {}
        self._lock = threading.Lock()
        self._is_over = False

    def warm(self, interpreter: str, folder: str) -> None:
        """Start a waiting process if they are enabled; do nothing if it can't be started."""
        with contextlib.suppress(OSError, ValueError):
            if self.idle and processes.CAN_KEEP:
                self.give_back(self.take(interpreter, folder))

    def take(self, interpreter: str, folder: str) -> Keeper:
        """Return a process for exclusive use; raise OSError or ValueError if it can't be started."""
        key = _environment(interpreter, self.idle)
        with self._lock:
            stale = [each for each in self._waiting if each != key and _interpreter(each) == interpreter]
            ended = [self._waiting.pop(each) for each in stale]
            found = self._waiting.pop(key, None)
        for each in ended:
            each.end()
        if found is not None and not found.is_over:
            return found
        return Keeper(interpreter, folder, self.idle, key)

    def give_back(self, keeper: Keeper) -> None:
        """Return a process for the next request, if it is still usable; if there are too many, the oldest ends."""
        surplus = list[Keeper]()
        with self._lock:
            if self.idle and not self._is_over and keeper.is_ready and keeper.key not in self._waiting:
                self._waiting[keeper.key] = keeper
            else:
                surplus.append(keeper)
            while len(self._waiting) > MOST:
                surplus.append(self._waiting.pop(next(iter(self._waiting))))
        for each in surplus:
            each.end()

    def end(self) -> None:
        """End all waiting processes, and start no more."""
        with self._lock:
            self._is_over = True
            waiting, self._waiting = [*self._waiting.values()], {}
        for each in waiting:
            each.end()


class Keeper:
    """A waiting process: accepts one request at a time, and returns the records about it."""

    def __init__(self, interpreter: str, folder: str, idle: float, key: object = None) -> None:
        self.key = key
        self.records: queue.Queue[tuple[str, Any]] = queue.Queue()
        self.is_over = False
        self.spared = frozenset[int]()
        self._secret = ""
        self._dumped = 0
        self._is_busy = False
        script = str(Path(str(_origin("graphwright"))).parent / "agent" / "__main__.py")
        self.process = subprocess.Popen[bytes](
            [interpreter, *_OPTIONS, script, f"{idle:g}", json.dumps(libraries())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": os.environ.get("TF_CPP_MIN_LOG_LEVEL", "2")},
            **processes.GROUP,
        )
        assert self.process.stdout is not None and self.process.stderr is not None
        self._printing = threading.Thread(target=self._read_output, args=(self.process.stderr,), daemon=True)
        self._printing.start()
        threading.Thread(target=self._read_records, args=(self.process.stdout,), daemon=True).start()

    @property
    def is_ready(self) -> bool:
        return not self.is_over and not self._is_busy

    def ask(self, request: wire.AgentRequest) -> None:
        """Send a request; if the process is gone, the records say so."""
        self._is_busy, self._dumped = True, 0
        self._secret = secrets.token_hex(16)
        asked = replace(request, secret=self._secret, libraries=libraries())
        self._send(wire.encoded(wire.REQUEST, asked))

    def next(self, patience: float) -> tuple[str, Any]:
        """Return the next record; an empty one if there is none yet.

        The last is `ENDED`, with None if the process is gone.
        """
        try:
            kind, value = self.records.get(timeout=patience)
        except queue.Empty:
            return "", None
        if kind == wire.RUNNING:
            self.spared = frozenset({self.process.pid, value if isinstance(value, int) else 0})
        if kind == wire.ENDED and value is not None:
            self._is_busy = False
        return kind, value

    def stop(self) -> Iterator[tuple[str, Any]]:
        """End what the request has started, and return the remaining records."""
        if self._is_busy and processes.CAN_KEEP:
            self._send(wire.encoded(wire.CANCEL, None))
            until = time.monotonic() + processes.PATIENCE
            while self._is_busy and time.monotonic() < until:
                kind, value = self.next(_PATIENCE)
                yield kind, value
                if kind == wire.ENDED:
                    return
        if self._is_busy:
            self.end()
        while not self.records.empty():
            yield self.next(0)

    def end(self) -> None:
        """End the process and everything that it started; it does so itself if possible."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()  # pyright: ignore[reportOptionalMemberAccess]
        if processes.CAN_KEEP:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(processes.PATIENCE)
        if self.process.poll() is None or not processes.CAN_KEEP:
            processes.end(self.process)
        self.process.wait()
        self._printing.join(_PATIENCE)

    def _send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            # It stays open: its end tells the process that nobody waits for it any more.
            left = memoryview(line)
            while left:
                left = left[self.process.stdin.write(left) :]

    # Whoever reads a stream closes it: another process may hold its other end, and closing would wait for that.

    def _read_records(self, stream: IO[bytes]) -> None:
        lines = wire.LineBuffer()
        with contextlib.suppress(OSError, ValueError), stream:
            while piece := stream.read(_PIECE):
                for line in lines.feed(piece):
                    kind, value = wire.decoded(line, self._secret)
                    if kind:
                        self.records.put((kind, value))
                    elif line.strip() and self._dumped < _MOST_DUMPED:
                        self._dumped += len(line)
                        self.records.put((DUMP, line.decode("utf-8", "replace")))
        self._printing.join(_PATIENCE)
        self.is_over = True
        self.records.put((wire.ENDED, None))
        self.process.wait()  # else one that ends by itself would stay in the system's list

    def _read_output(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while piece := stream.read(_PIECE):
                self.records.put((wire.OUTPUT, piece.decode("utf-8", "replace")))


def libraries() -> dict[str, str]:
    """The folders with packages that the agent may need and the user's environment may lack."""
    found = {name: _origin(name) for name in _LIBRARIES}
    return {name: str(origin.parents[1]) for name, origin in found.items() if origin is not None}


def _origin(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def _environment(interpreter: str, idle: float) -> tuple[object, ...]:
    """What a process with TensorFlow imported depends on; it changes when packages are installed or removed."""
    packages = environment_of((), interpreter).packages
    places = [Path(interpreter), Path(interpreter).parent.parent / "pyvenv.cfg", *packages]
    return interpreter, idle, tuple(_changed(place) for place in places), frozenset(os.environ.items())


def _interpreter(key: object) -> object:
    return cast("tuple[object, ...]", key)[0] if isinstance(key, tuple) else None


def _changed(place: Path) -> int:
    try:
        return place.stat().st_mtime_ns
    except OSError:
        return 0
