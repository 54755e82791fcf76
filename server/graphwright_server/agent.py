"""Starts the agent in the user's interpreter, feeds it, bounds its time and memory, and outlives it.

Whatever becomes of the agent, there is a report. What it prints is handed on; nothing of the user's runs in here.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from graphwright.agent import wire
from graphwright_analysis import Unreadable, read_text

from . import processes

TIMEOUT = 60.0
MEMORY = 4096
"""Seconds and megabytes, where nobody says otherwise."""

_OPTIONS = ("-X", "utf8")
_LIBRARIES = ("graphwright", "graphwright_analysis", "gast")
_TICK = 0.02
_LAST_WORDS = 2.0
"""Seconds in which an agent whose time is over says where it is, longer than its own patience."""
_MOST_OUTPUT = 48 * 1024
_TAIL = 16 * 1024
_LONGEST_LINE = 2000
_NOISE = re.compile(r"^(WARNING: All log messages before absl|[IW]\d{4} \d\d:\d\d:\d\d|\d+\.\d+ +\d+ port\.cc)")
_STANDARD = re.compile(r"/lib(64)?/python3\.\d+/|\\[Ll]ib\\\w+\.py")
_AGENT = os.path.join("graphwright", "agent", "")
_STACK_FRAME = re.compile(r'^\s*File "(?P<file>[^"\n]+)", line (?P<line>\d+) in (?P<name>.*)$', re.MULTILINE)
_DUMP = re.compile(r"^(?:Timeout \(\d+:\d\d:\d\d(?:\.\d+)?\)!|Fatal Python error: .*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Job:
    """A request, and where and within what bounds the agent works on it; `memory` is in megabytes."""

    request: wire.AgentRequest
    interpreter: str
    folder: str
    memory: int = MEMORY


@dataclass(slots=True)
class Listener:
    """Who is told of steps and of lines that the user's code prints; `cancelled` is set to end the agent."""

    progress: Callable[[str], None] = lambda step: None
    output: Callable[[str], None] = lambda line: None
    cancelled: threading.Event = field(default_factory=threading.Event)


def run(job: Job, listener: Listener | None = None) -> wire.AgentReport:
    """Run the agent to its end, which comes with its report, its time, its memory, or the listener's wish."""
    listener = listener or Listener()
    request = replace(job.request, libraries=_libraries())
    watched = _Watched(job, listener)
    try:
        process = _started(job)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return watched.failed("Interpreter", f"{job.interpreter} can't be started: {reason}.")
    try:
        watched.feed(process, wire.encoded(wire.REQUEST, request))
        return watched.outcome(process)
    finally:
        processes.end(process)
        process.wait()
        with contextlib.suppress(OSError):
            process.stdin.close()  # pyright: ignore[reportOptionalMemberAccess]


def _started(job: Job) -> subprocess.Popen[bytes]:
    package = importlib.util.find_spec("graphwright")
    assert package is not None and package.origin is not None
    script = str(Path(package.origin).parent / "agent" / "__main__.py")
    return subprocess.Popen[bytes](
        [job.interpreter, *_OPTIONS, script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=job.folder,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": os.environ.get("TF_CPP_MIN_LOG_LEVEL", "2")},
        **processes.GROUP,
    )


def _libraries() -> dict[str, str]:
    """The folders that hold what the agent may need and the user's environment may lack."""
    found: dict[str, str] = {}
    for name in _LIBRARIES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            found[name] = str(Path(spec.origin).parents[1])
    return found


class _Watched:
    """An agent while it runs: what it has said and printed so far."""

    def __init__(self, job: Job, listener: Listener) -> None:
        self._job = job
        self._listener = listener
        self._output = _Output()
        self._step = "starting Python"
        self._began = time.monotonic()
        self._allowed = wire.STARTING
        self._until = self._began + self._allowed
        self._late: wire.Whereabouts | None = None
        self._records: queue.Queue[bytes | None] = queue.Queue()
        self._printing: threading.Thread | None = None

    def feed(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._printing = threading.Thread(target=self._keep_output, args=(process.stderr,), daemon=True)
        self._printing.start()
        threading.Thread(target=self._keep_records, args=(process.stdout,), daemon=True).start()
        with contextlib.suppress(OSError):
            # It stays open: its end tells the agent that nobody waits for it any more.
            left = memoryview(line)
            while left:
                left = left[process.stdin.write(left) :]

    def outcome(self, process: subprocess.Popen[bytes]) -> wire.AgentReport:
        """Wait for the report, or for a reason to end."""
        memory, limit = processes.MemoryWatch(process.pid), self._job.memory * 1024 * 1024
        while True:
            report, ended = self._read()
            if report is not None:
                return self._complete(report, process)
            if ended:
                return self._died(process)
            held = memory.held(limit)
            if self._listener.cancelled.is_set():
                return self._ended(process, "Cancelled", f"It was cancelled while {self._step}.")
            if held is not None and held > limit:
                return self._ended(process, "OutOfMemory", self._too_much(held))
            if time.monotonic() > self._until + (0.0 if self._late is not None else _LAST_WORDS):
                return self._ended(process, "Timeout", self._too_long())

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

    def _read(self) -> tuple[wire.AgentReport | None, bool]:
        """The report if there is one, and whether the agent has closed its side."""
        try:
            line = self._records.get(timeout=_TICK)
        except queue.Empty:
            return None, False
        if line is None:
            return None, True
        kind, value = wire.decoded(line)
        if kind == wire.PROGRESS:
            self._step = str(value)
            self._listener.progress(self._step)
        elif kind == wire.BEGUN:
            self._allowed = self._job.request.timeout
            self._until = time.monotonic() + self._allowed
        elif kind == wire.LATE:
            with contextlib.suppress(KeyError, TypeError):
                self._late = wire.whereabouts_of(value)
        elif kind == wire.REPORT:
            with contextlib.suppress(KeyError, TypeError):
                return wire.report_of(value), False
        return None, False

    def _complete(self, report: wire.AgentReport, process: subprocess.Popen[bytes]) -> wire.AgentReport:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(2)
        self._settle(process)
        return replace(report, output=self._output.text)

    def _died(self, process: subprocess.Popen[bytes]) -> wire.AgentReport:
        """It closed its side without a report."""
        try:
            code = process.wait(2)
        except subprocess.TimeoutExpired:
            code = None
        self._settle(process)
        frames, stack = self._dumped()
        return self.failed("Crash", f"{_why(code, self._step)}{self._last_words(code)}", frames, stack)

    def _ended(self, process: subprocess.Popen[bytes], kind: str, message: str) -> wire.AgentReport:
        self._settle(process)
        frames, stack = self._dumped()
        if kind == "Timeout" and self._late is not None and self._late.frames:
            frames, stack = self._late.frames, self._late.stack
        if frames and kind == "Timeout":
            file = frames[-1].file
            elsewhere = "" if file == self._job.request.file else f" of {os.path.basename(file)}"
            message += f" It was at line {frames[-1].line + 1}{elsewhere} then."
        return self.failed(kind, message, frames, stack)

    def _settle(self, process: subprocess.Popen[bytes]) -> None:
        """End what is left, so that all it has printed is here."""
        processes.end(process)
        if self._printing is not None:
            self._printing.join(2)

    def _too_much(self, held: int) -> str:
        limit, used = f"{self._job.memory:,} MB", f"{held // (1024 * 1024):,} MB"
        return f"It held {used} of memory while {self._step}, and {limit} are allowed: it was ended."

    def _too_long(self) -> str:
        allowed = f"{self._allowed:g} s"
        return f"It took longer than the {allowed} that are allowed: it was ended while {self._step}."

    def _last_words(self, code: int | None) -> str:
        line = next((each for each in reversed(self._output.text.splitlines()) if each.strip()), "")
        return f" The last that it printed: {line.strip()}" if line and (code or 0) > 0 else ""

    def _dumped(self) -> tuple[tuple[wire.ReportedFrame, ...], str]:
        """Where Python was when it crashed or its time was over, as it printed that itself."""
        found = _DUMP.search(self._output.tail)
        if found is None:
            return (), ""
        stack = self._output.tail[found.start() :]
        self._output.cut(found[0])
        threads = [[*_frames(part)] for part in re.split(r"^(?:Current thread|Thread) .*$", stack, flags=re.MULTILINE)]
        own = [frames for frames in threads if frames]
        lines = [line for line in stack.splitlines() if _AGENT not in line]
        return (tuple(own[-1]) if own else ()), "\n".join(lines)

    # Whoever reads a stream closes it: a process that the user's code has started in a session of its own may hold its
    # other end for as long as it likes, and closing would wait for that.

    def _keep_records(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            for line in _lines(stream):
                self._records.put(line)
        self._records.put(None)

    def _keep_output(self, stream: IO[bytes]) -> None:
        dumping = False  # from where on Python tells where it is, which nobody has printed
        with contextlib.suppress(OSError, ValueError), stream:
            for raw in _lines(stream):
                line = raw.decode("utf-8", "replace")
                if not _NOISE.match(line):
                    self._output.add(line)
                    dumping = dumping or _DUMP.match(line.rstrip("\r\n")) is not None
                    if not dumping:
                        self._listener.output(line.rstrip("\r\n")[:_LONGEST_LINE])


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream without a buffer of Python's, whose lock would be waited for when Python ends."""
    rest = b""
    while chunk := stream.read(1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in lines)
    if rest:
        yield rest


class _Output:
    """What was printed: all of it where it isn't much, else its beginning; and its end."""

    def __init__(self) -> None:
        self._head: list[str] = []
        self._size = 0
        self.tail = ""
        self._cut: str | None = None

    def add(self, line: str) -> None:
        if self._size < _MOST_OUTPUT:
            self._head.append(line[: _MOST_OUTPUT - self._size])
        self._size += len(line)
        self.tail = (self.tail + line)[-_TAIL:]

    def cut(self, mark: str) -> None:
        """Leave out what comes from this line on."""
        self._cut = mark

    @property
    def text(self) -> str:
        text = "".join(self._head)
        if self._cut is not None:
            return text.partition(self._cut)[0]
        left_out = self._size - len(text)
        return f"{text}\n... ({left_out:,} more characters)\n" if left_out > 0 else text


def _frames(part: str) -> Iterator[wire.ReportedFrame]:
    """The frames of a stack that aren't Python's, a library's, AutoGraph's or ours, the innermost last."""
    for found in reversed([*_STACK_FRAME.finditer(part)]):
        file = found["file"]
        if not file.startswith("<") and not _is_library(file):
            line = int(found["line"])
            yield wire.ReportedFrame(file, line - 1, found["name"].strip(), _line_of(file, line))


def _is_library(file: str) -> bool:
    own = tuple(os.path.join(folder, name, "") for name, folder in _libraries().items())
    return bool(wire.INSTALLED.search(file) or _STANDARD.search(file)) or file.startswith(own)


def _line_of(file: str, line: int) -> str:
    with contextlib.suppress(Unreadable, IndexError):
        return read_text(file).splitlines()[line - 1].strip()
    return ""


def _why(code: int | None, step: str) -> str:
    """Why a process ended that nobody ended."""
    if code is None:
        return f"It closed the connection while {step}."
    if code >= 0:
        return f"Python ended by itself while {step}, with the exit code {code}."
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if name == "SIGKILL":
        return f"It was killed from outside while {step}; the system does that when memory runs out."
    words = {
        "SIGSEGV": "a segmentation fault",
        "SIGABRT": "a failed check in native code",
        "SIGFPE": "a division by zero",
    }
    return f"Python crashed while {step}, by {words.get(name, name)}."
