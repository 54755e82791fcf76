"""Runs requests in the agent, in the user's interpreter, within limits on time and memory, and survives it.

There is a report whatever happens to the agent. Its output is passed on; no user code runs here.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, cast

from graphwright.agent import wire
from graphwright_analysis import Unreadable, immutable, read_text

from . import processes
from .agent_output import Output
from .agent_reports import Refused, checked, cleaned, report_of
from .keepers import DUMP, Keeper, Keepers, libraries

TIMEOUT = 60.0
MEMORY = 4096
"""The default limits in seconds and megabytes."""

_TICK = 0.02
_LAST_WORDS = 2.0
"""The number of seconds that a timed-out agent has to say where it is; longer than it takes itself."""
_OTHER_PYTHON = "Choose another Python: graphwright.interpreter or --python."
_LONGEST_LAST = 500
_TAIL = 16 * 1024
_LONGEST_LINE = 2000
_STANDARD = re.compile(r"/lib(64)?/python3\.\d+/|\\[Ll]ib\\\w+\.py")
_AGENT = os.path.join("graphwright", "agent", "")
_STACK_FRAME = re.compile(r'^\s*File "(?P<file>[^"\n]+)", line (?P<line>\d+) in (?P<name>.*)$', re.MULTILINE)
_DUMP = re.compile(r"^(?:Timeout \(\d+:\d\d:\d\d(?:\.\d+)?\)!|Fatal Python error: .*)$", re.MULTILINE)


@immutable
class Job:
    """A request, with the interpreter, the folder and the limits; `memory` is in megabytes."""

    request: wire.AgentRequest
    interpreter: str
    folder: str
    memory: int = MEMORY
    line_words: Callable[[int], str] = lambda line: f"line {line + 1}"
    """Return words for a line of the request's file, counted from 0."""


@dataclass(slots=True)
class Listener:
    """Receives steps and the lines that the user's code prints; set `cancelled` to end the agent.

    During a long step, `waiting` is called every second.
    """

    progress: Callable[[str], None] = lambda step: None
    output: Callable[[str], None] = lambda line: None
    cancelled: threading.Event = field(default_factory=threading.Event)
    waiting: Callable[[str], None] = lambda step: None


def run(job: Job, listener: Listener | None = None, keepers: Keepers | None = None) -> wire.AgentReport:
    """Run the agent until its report, a limit on its time or memory, or cancellation."""
    watched = _Watched(job, listener or Listener())
    keepers = keepers or Keepers()
    try:
        keeper = keepers.take(job.interpreter, job.folder)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return watched.failed("Interpreter", f"{job.interpreter} can't be started: {reason}. {_OTHER_PYTHON}")
    try:
        keeper.ask(replace(job.request, folder=job.folder))
        return watched.outcome(keeper)
    finally:
        keepers.give_back(keeper)


class _Watched:
    """A running agent: its records and output so far."""

    def __init__(self, job: Job, listener: Listener) -> None:
        self._job = job
        self._listener = listener
        self._output = Output(listener.output)
        self._dump = ""
        self._step = "starting Python"
        self._began = self._step_began = time.monotonic()
        self._waited = 1
        self._allowed = wire.STARTING
        self._until = self._began + self._allowed
        self._late: wire.Whereabouts | None = None
        self._report: wire.AgentReport | None = None
        self._refused = ""
        self._code: int | None = None

    def outcome(self, keeper: Keeper) -> wire.AgentReport:
        """Wait for the report and the end of all processes, or for a reason to end them."""
        memory, limit = processes.MemoryWatch(keeper.process.pid), self._job.memory * 1024 * 1024
        while not self._hear(keeper, *keeper.next(_TICK)):
            self._tell_of_waiting()
            held = memory.held(limit, keeper.spared)
            if self._listener.cancelled.is_set():
                return self._ended(keeper, "Cancelled", f"It was cancelled while {self._step}.")
            if held is not None and held > limit:
                return self._ended(keeper, "OutOfMemory", self._too_much(held))
            if time.monotonic() > self._until + (0.0 if self._late is not None else _LAST_WORDS):
                return self._ended(keeper, "Timeout", self._too_long())
        self._output.end()
        return self._died() if self._report is None else replace(self._report, output=self._output.text)

    def _tell_of_waiting(self) -> None:
        """Report the duration of the current step in seconds, from the second one on."""
        seconds = int(time.monotonic() - self._step_began)
        if seconds > self._waited:
            self._waited = seconds
            self._listener.waiting(f"{self._step}, {seconds} s")

    def failed(
        self, kind: str, message: str, frames: tuple[wire.ReportedFrame, ...] = (), stack: str = ""
    ) -> wire.AgentReport:
        request = self._job.request
        return wire.AgentReport(
            False,
            request.function,
            request.file,
            request.action,
            wire.ReportedEnvironment(executable=self._job.interpreter),
            time.monotonic() - self._began,
            wire.ReportedFailure(kind, message, frames, stack),
            output=self._output.text,
        )

    def _hear(self, keeper: Keeper, kind: str, value: Any) -> bool:
        """Handle a record; return True if it is the last."""
        if kind == wire.PROGRESS:
            self._step, self._step_began, self._waited = cleaned(str(value), _LONGEST_LINE), time.monotonic(), 1
            self._listener.progress(self._step)
        elif kind == wire.BEGUN:
            self._allowed = self._job.request.timeout
            self._until = time.monotonic() + self._allowed
        elif kind == wire.LATE:
            with contextlib.suppress(Refused):
                self._late = checked(value, wire.Whereabouts)
        elif kind == wire.REPORT and self._report is None:
            try:
                self._report = report_of(value, self._job.request)
            except Refused as error:
                self._refused = str(error)
        elif kind == wire.OUTPUT:
            self._output.add(str(value))
        elif kind == DUMP:
            self._dump += str(value)
        elif kind == wire.ENDED:
            self._end(keeper, value)
            return True
        return False

    def _end(self, keeper: Keeper, value: Any) -> None:
        """Record how the process ended, if the keeper that started it still exists."""
        if isinstance(value, dict):
            status: Any = cast("dict[str, Any]", value).get("status")
            self._output.leave_out(int(cast("dict[str, Any]", value).get("left_out") or 0))
            self._code = os.waitstatus_to_exitcode(status) if isinstance(status, int) else None
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._code = keeper.process.wait(2)

    def _died(self) -> wire.AgentReport:
        """Report that the process ended without a report."""
        frames, stack = self._dumped()
        if self._refused:
            return self.failed("Report", f"Its report can't be shown: {self._refused}.", frames, stack)
        return self.failed("Crash", f"{_why(self._code, self._step)}{self._last_words()}", frames, stack)

    def _ended(self, keeper: Keeper, kind: str, message: str) -> wire.AgentReport:
        for heard in keeper.stop():
            self._hear(keeper, *heard)
        self._output.end()
        frames, stack = self._dumped()
        if kind == "Timeout" and self._late is not None and self._late.frames:
            frames, stack = self._late.frames, self._late.stack
        if frames and kind == "Timeout":
            file, line = frames[-1].file, frames[-1].line
            is_own = file == self._job.request.file
            where = self._job.line_words(line) if is_own else f"line {line + 1} of {os.path.basename(file)}"
            message += f" It was at {where} then."
        return self.failed(kind, message, frames, stack)

    def _too_much(self, held: int) -> str:
        limit, used = f"{self._job.memory:,} MB", f"{held // (1024 * 1024):,} MB"
        setting = "graphwright.agent.memory or --memory"
        return f"It used {used} of memory while {self._step}, more than the limit of {limit} ({setting})."

    def _too_long(self) -> str:
        setting = "" if self._allowed == wire.STARTING else " (graphwright.agent.timeout or --timeout)"
        allowed = f"{self._allowed:g} s{setting}"
        return f"It took longer than the limit of {allowed}, and was stopped while {self._step}."

    def _last_words(self) -> str:
        line = next((each for each in reversed(self._output.tail.splitlines()) if each.strip()), "")
        return f" Its last output: {line.strip()[:_LONGEST_LAST]}" if line and (self._code or 0) > 0 else ""

    def _dumped(self) -> tuple[tuple[wire.ReportedFrame, ...], str]:
        """Where Python was when it crashed or ran out of time, by its own dump."""
        found = _DUMP.search(self._dump)
        if found is None:
            return (), ""
        stack = cleaned(self._dump[found.start() :], _TAIL)
        threads = [[*_frames(part)] for part in re.split(r"^(?:Current thread|Thread) .*$", stack, flags=re.MULTILINE)]
        own = [frames for frames in threads if frames]
        lines = [line for line in stack.splitlines() if _AGENT not in line and line.strip()]
        return (tuple(own[-1]) if own else ()), "\n".join(lines)


def _frames(part: str) -> Iterator[wire.ReportedFrame]:
    """The frames of a stack without those of Python, libraries, AutoGraph and Graphwright, innermost last."""
    for found in reversed([*_STACK_FRAME.finditer(part)]):
        file = found["file"]
        if not file.startswith("<") and not _is_library(file):
            line = int(found["line"])
            yield wire.ReportedFrame(file, line - 1, found["name"].strip(), _line_of(file, line))


def _is_library(file: str) -> bool:
    own = tuple(os.path.join(folder, name, "") for name, folder in libraries().items())
    return bool(wire.INSTALLED.search(file) or _STANDARD.search(file)) or file.startswith(own)


def _line_of(file: str, line: int) -> str:
    with contextlib.suppress(Unreadable, IndexError):
        return read_text(file).splitlines()[line - 1].strip()
    return ""


def _why(code: int | None, step: str) -> str:
    """Why a process ended that nothing ended on purpose."""
    if code is None:
        return f"It closed the connection while {step}."
    if code >= 0:
        return f"Python exited while {step}, with exit code {code}."
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if name == "SIGKILL":
        return f"It was killed while {step}, which the system does when memory runs out."
    words = {
        "SIGSEGV": "a segmentation fault",
        "SIGABRT": "a failed check in native code",
        "SIGFPE": "a division by zero",
    }
    return f"Python crashed while {step}, by {words.get(name, name)}."
