"""The agent's run: takes the streams over, reads the request, does what it says, sends the report.

What the user's code prints goes another way than records, which are out of its reach as far as that can be.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import IO, Any

from . import interrupting, system, working
from .failures import failure
from .wire import (
    BEGUN,
    LATE,
    PROGRESS,
    REPORT,
    REQUEST,
    STARTING,
    AgentReport,
    AgentRequest,
    RecordKind,
    decoded,
    encoded,
    request_of,
)

_HIGHEST = 1 << 16
SPARE = 10.0
"""How much longer than its time an agent may live that nobody ends."""


def serve(reading: int = 0, writing: int = 1, printing: int = 2) -> None:
    """Do what the one request says that comes by `reading`, and end this process."""
    _lead_output_to(printing)
    source = os.fdopen(os.dup(reading), "rb")
    records = _out_of_reach(writing)
    _leave(reading, writing, printing)
    kind, value = decoded(source.readline())
    if kind != REQUEST:
        os._exit(2)
    request = request_of(value)
    wire = _Wire(records, request.secret)
    request = replace(request, secret="")
    if request.folder:
        os.chdir(request.folder)
    if reading == 0:
        threading.Thread(target=_end_with_server, args=(source,), daemon=True).start()
    _bound(request, records)
    began = time.perf_counter()

    def begun() -> None:
        interrupting.report_after(request.timeout, records, lambda where: wire.send(LATE, where))
        wire.send(BEGUN, None)

    progress = working.StepReporter(lambda step: wire.send(PROGRESS, step), begun)
    report = _answer(request, progress, began)
    _flush()
    faulthandler.cancel_dump_traceback_later()
    wire.send(REPORT, report)
    # Threads of TensorFlow, or the user's own, may take long to end or hang.
    os._exit(0)


def fork(descriptors: Sequence[int], others: Sequence[int], prepare: Callable[[], None] = lambda: None) -> int:
    """Have a new process serve by these descriptors, without the others.

    It ends with this one, which must have one thread alone.
    """
    parent = os.getpid()
    process = os.fork()
    if process == 0:
        try:
            os.setsid()
            system.end_with_parent(parent)
            for descriptor in others:
                os.close(descriptor)
            prepare()
            serve(*descriptors)
        finally:
            os._exit(1)
    return process


class _Wire:
    """The way out for records, each of which begins with the secret, on a line of its own."""

    def __init__(self, descriptor: int, secret: str) -> None:
        self._descriptor = descriptor
        self._secret = secret
        self._process = os.getpid()
        self._sending = threading.Lock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._close)

    def send(self, kind: RecordKind, value: Any) -> None:
        if os.getpid() != self._process:
            os._exit(0)  # a fork of the user's code has come back, and has nothing to say
        left = memoryview(b"\n" + encoded(kind, value, self._secret))
        with self._sending:
            while left:
                left = left[os.write(self._descriptor, left) :]

    def _close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._descriptor)


def _answer(request: AgentRequest, progress: working.StepReporter, began: float) -> AgentReport:
    try:
        return working.work(request, progress, began)
    except BaseException as error:  # the user's code may raise anything
        shown = failure(error, progress.last)
        environment = working.environment(progress.tensorflow)
        seconds = time.perf_counter() - began
        return AgentReport(
            False,
            request.function,
            request.file,
            request.action,
            environment,
            seconds,
            shown,
            notes=tuple(dict.fromkeys(progress.notes)),
        )


def _lead_output_to(printing: int) -> None:
    """All that is printed goes there."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    if printing != 2:
        os.dup2(printing, 2)


def _out_of_reach(writing: int) -> int:
    """The same way out by a number that code which closes or writes to all descriptors doesn't try."""
    if sys.platform == "win32":
        import msvcrt

        moved = os.dup(writing)
        msvcrt.setmode(moved, os.O_BINARY)
        return moved
    import fcntl
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = min(soft if soft != resource.RLIM_INFINITY else _HIGHEST, _HIGHEST) - 1
    moved = fcntl.fcntl(writing, fcntl.F_DUPFD_CLOEXEC, highest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
    return moved


def _leave(*descriptors: int) -> None:
    """Close what was moved; in the place of the server's streams there is nothing to read, and output."""
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    for descriptor in descriptors:
        if descriptor > 2:
            os.close(descriptor)


def _bound(request: AgentRequest, records: int) -> None:
    """End with the time; say where Python was when either it crashed or the time was over."""
    faulthandler.enable(records)
    faulthandler.dump_traceback_later(STARTING, file=records)
    if hasattr(signal, "setitimer"):
        # The system ends it where Python can't: in C code that never returns.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, STARTING + request.timeout + SPARE)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    go_first(800)


def go_first(score: int) -> None:
    """Have the system end this process before others if memory runs out."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write(str(score))


def _end_with_server(reading: IO[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError):
        while reading.read(1):
            pass
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
