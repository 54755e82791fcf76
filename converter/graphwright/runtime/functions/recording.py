"""Counts the calls and traces of `gw.function`'s functions for the editor, when GRAPHWRIGHT_TRACES asks for it.

It never fails the user's program, decides nothing about what is traced, and does nothing at all unless asked.
"""

from __future__ import annotations

import atexit
import functools
import linecache
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from graphwright import reporting, trace_files, watching
from graphwright.explaining import remedies_of, sentence
from graphwright.runtime.basis.tensorflow_internals import polymorphic_function, tf
from graphwright.runtime.errors import tracebacks

if TYPE_CHECKING:
    from graphwright.traces import FunctionTrace

SECONDS_BETWEEN_WRITES = 1.0
TOLD_TRACES = 50
"""How many traces of a function are told of one by one; further ones are counted."""

ASKED = os.environ.get("GRAPHWRIGHT_TRACES", "")
"""What was asked for when the program began."""


@dataclass
class Record:
    """What happened to the functions that were made of one `def`."""

    definition: trace_files.Definition
    calls: int = 0
    seconds: float = 0.0
    steady_calls: int = 0
    """The calls that traced nothing: what a call costs in the long run is seen from them."""
    steady_seconds: float = 0.0
    staged: int = 0
    """The calls that became part of another function's graph."""
    traced: int = 0
    traces: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def as_data(self) -> dict[str, Any]:
        return {
            "file": self.definition.file,
            "line": self.definition.line,
            "name": self.definition.name,
            "digest": self.definition.digest,
            "calls": self.calls,
            "seconds": self.seconds,
            "steady": {"calls": self.steady_calls, "seconds": self.steady_seconds},
            "staged": self.staged,
            "traced": self.traced,
            "traces": self.traces,
        }

    def forget_calls(self) -> None:
        self.calls = self.steady_calls = self.staged = 0
        self.seconds = self.steady_seconds = 0.0


class Recorder:
    """The entries of this process, and the thread that writes them."""

    def __init__(self, asked: str) -> None:
        self.asked = asked
        self.entries: dict[tuple[str, int], Record | None] = {}
        self.begin()

    def begin(self) -> None:
        """Begin to count: at the start, and again in a process that was forked, which writes a file of its own."""
        self.started = time.time()
        self.counting, self.writing = threading.Lock(), threading.Lock()
        self.changed = threading.Event()
        self.thread: threading.Thread | None = None
        self.failed = False
        for entry in self.entries.values():
            if entry is not None:
                entry.forget_calls()

    def entry_of(self, code: Any) -> Record | None:
        """Where the calls of a code's function are counted; None if no `def` in a file of the user's made it."""
        try:
            key = (code.co_filename, code.co_firstlineno)
        except AttributeError:
            return None
        if key not in self.entries:
            found = trace_files.definition_of(*key)
            self.entries[key] = Record(found) if found is not None else None
        return self.entries[key]

    def called(self, entry: Record, seconds: float, is_steady: bool) -> None:
        with self.counting:
            entry.calls += 1
            entry.seconds += seconds
            if is_steady:
                entry.steady_calls += 1
                entry.steady_seconds += seconds
        self.note_change()

    def staged(self, entry: Record) -> None:
        with self.counting:
            entry.staged += 1
        self.note_change()

    def traced(self, account: Any, trace: FunctionTrace) -> None:
        entry = self.entry_of(account.code)
        if entry is None:
            return
        with self.counting:
            entry.traced += 1
            if trace.number != entry.traced:  # That of one of several functions or instances.
                trace = replace(trace, cause=replace(trace.cause, earlier=None))
            if len(entry.traces) < TOLD_TRACES:
                entry.traces.append(trace_as_data(trace))
        self.note_change()

    def note_change(self) -> None:
        if not self.changed.is_set():
            self.changed.set()
        if self.thread is None:
            self.start_writing()

    def start_writing(self) -> None:
        with self.counting:
            if self.thread is not None:
                return
            self.thread = threading.Thread(target=self.write_now_and_then, name="graphwright-traces", daemon=True)
        try:
            self.thread.start()
        except RuntimeError:
            return  # Python is ending: it is written once more at the very end.
        write_at_end_of_worker(self.write)

    def write_now_and_then(self) -> None:
        while not self.failed:
            self.changed.wait()
            self.write()
            time.sleep(SECONDS_BETWEEN_WRITES)

    def write(self) -> None:
        """Write what there is to tell, if anything is new; after a failure nothing is written any more."""
        with self.writing:
            if self.failed or not self.changed.is_set():
                return
            self.changed.clear()
            try:
                trace_files.write(self.data(), self.asked, self.started)
            except Exception as error:
                self.failed = True
                reporting.logger.warning("GRAPHWRIGHT_TRACES: can't write the trace history: %s", error)

    def data(self) -> dict[str, Any]:
        with self.counting:
            entries = [entry for entry in self.entries.values() if entry is not None]
            functions = [entry.as_data() for entry in entries if entry.calls or entry.staged or entry.traced]
            return {
                "version": 1,
                "python": ".".join(map(str, sys.version_info[:3])),
                "tensorflow": str(tf.__version__),
                "program": sys.argv[0] if sys.argv else "",
                "functions": [{**function, "traces": [*function["traces"]]} for function in functions],
            }


def trace_as_data(trace: FunctionTrace) -> dict[str, Any]:
    changes = trace.cause.changes
    avoidable = [change for change in changes if change.avoidable] if trace.avoidable else []
    return {
        "signature": str(trace),
        "cause": " ".join(sentence(change, trace) for change in changes),
        "remedy": " ".join(remedies_of(avoidable)),
        "seconds": trace.seconds,
        "operations": trace.operations,
        "avoidable": trace.avoidable,
        "file": os.path.abspath(trace.file) if trace.file else "",
        "line": trace.line - 1,
        "text": linecache.getline(trace.file, trace.line).strip(),
    }


def write_at_end_of_worker(write: Callable[[], None]) -> None:
    """A process that multiprocessing has forked ends without what `atexit` was told."""
    util: Any = sys.modules.get("multiprocessing.util")
    process: Any = sys.modules.get("multiprocessing.process")
    if util is not None and process is not None and process.parent_process() is not None:
        util.Finalize(None, write, exitpriority=0)


def counted(call: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    """A tf.function's `__call__` that counts and times the calls."""
    eagerly: Callable[[], bool] = tf.executing_eagerly

    @functools.wraps(call)
    def counting(self: Any, *args: Any, **kwds: Any) -> Any:
        entry = recorder.entry_of(self._key_for_call_stats)
        if entry is None:
            return call(self, *args, **kwds)
        is_eager, traced, began = eagerly(), entry.traced, time.perf_counter()
        try:
            return call(self, *args, **kwds)
        except Exception as error:
            tracebacks.strip(error)
            raise
        finally:
            if is_eager:
                recorder.called(entry, time.perf_counter() - began, entry.traced == traced)
            else:
                recorder.staged(entry)

    return counting


def started(asked: str) -> Recorder | None:
    """What records from now on, if that is asked for."""
    if asked in ("", "0"):
        return None
    made = Recorder(asked)
    watching.start()
    function_class: Any = polymorphic_function.Function
    function_class.__call__ = counted(function_class.__call__, made)
    atexit.register(made.write)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=made.begin)
    return made


RECORDER = started(ASKED)
