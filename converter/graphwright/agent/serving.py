"""The agent's run: takes the streams over, reads the request, does what it says, sends the report.

What the user's code prints goes to standard error, which the server keeps for the log; the wire is out of its reach.
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

from . import interrupting, working
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
    decoded,
    encoded,
    request_of,
)

SPARE = 10.0
"""How much longer than its time an agent may live that nobody ends."""


def serve() -> int:
    """Do what the one request says; the exit code is 0 where a report was sent."""
    reading, wire = _take_over()
    line = reading.readline()
    kind, value = decoded(line)
    if kind != REQUEST:
        return 2
    request = request_of(value)
    _bound(request, reading)
    began = time.perf_counter()

    def begun() -> None:
        interrupting.report_after(request.timeout, lambda where: _send(wire, encoded(LATE, where)))
        _send(wire, encoded(BEGUN, None))

    progress = working.StepReporter(lambda step: _send(wire, encoded(PROGRESS, step)), begun)
    report = _answer(request, progress, began)
    _flush()
    faulthandler.cancel_dump_traceback_later()
    _send(wire, encoded(REPORT, report))
    # Threads of TensorFlow, or the user's own, may take long to end or hang.
    os._exit(0)


_sending = threading.Lock()


def _send(wire: io.FileIO, line: bytes) -> None:
    left = memoryview(line)
    with _sending:
        while left:
            left = left[wire.write(left) or 0 :]


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
            notes=tuple(progress.notes),
        )


def _take_over() -> tuple[io.BufferedReader, io.FileIO]:
    """The way in and the way out; what else is written goes to standard error, and there is nothing else to read."""
    reading, writing = os.dup(0), os.dup(1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(reading, os.O_BINARY)
        msvcrt.setmode(writing, os.O_BINARY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    return os.fdopen(reading, "rb"), io.FileIO(writing, "wb")


def _bound(request: AgentRequest, reading: io.BufferedReader) -> None:
    """End with the server, and with the time; say where Python was when either it crashed or the time was over."""
    threading.Thread(target=_end_with_server, args=(reading,), daemon=True).start()
    faulthandler.enable()
    faulthandler.dump_traceback_later(STARTING)
    if hasattr(signal, "setitimer"):
        # The system ends it where Python can't: in C code that never returns.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, STARTING + request.timeout + SPARE)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("800")  # if memory runs out, this goes first


def _end_with_server(reading: io.BufferedReader) -> None:
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
