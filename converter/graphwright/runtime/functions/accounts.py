"""Keeps the account of a function's traces, by being the cache in which TensorFlow looks for them.

It works only when something is traced; it decides nothing about what is traced, but for telling 1, 1.0 and True apart.
"""

from __future__ import annotations

import contextlib
import inspect
import time
import types
import warnings
import weakref
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Any

from graphwright import watching
from graphwright.agent.graphs import operation_count
from graphwright.explaining import RetracingWarning, made_again, times, warning
from graphwright.libraries import is_generated_file, is_own_file, is_standard_file, is_tensorflow_file
from graphwright.retraces import over, refused
from graphwright.runtime.basis.tensorflow_internals import function_cache
from graphwright.runtime.functions import recording, signatures
from graphwright.runtime.functions.callers_frames import warn_at
from graphwright.traces import Change, FunctionTrace, TraceCause, TracedArgument, cause

ADVISED_AFTER = 2
"""The number of avoidable traces that is worth a warning."""
ADVISED_AFTER_MADE = 9
"""How often a function must have been made again: some times may be meant, as for the models of an experiment."""


@dataclass
class Account:
    """The traces of a function; those of a method also go to the account of all its instances, its `family`."""

    name: str
    reduce_retracing: bool = False
    variadic: tuple[str, str] = ("", "")
    traces: list[FunctionTrace] = field(default_factory=list[FunctionTrace])
    family: Account | None = None
    instance: weakref.ref[Any] | None = None
    owners: list[weakref.ref[Any] | None] = field(default_factory=list[Any])
    advised: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    code: Any = None
    made_at: tuple[str, int] = ("", 0)
    is_of_library: bool = False
    """Whether TensorFlow or Keras has made the function, so that nobody can follow advice about its traces."""
    max_traces: int | None = None
    decorator: str = "gw.function"

    def __getstate__(self) -> dict[str, Any]:
        """Without what can't be pickled; what isn't pickled is set again by the function."""
        return {**self.__dict__, "code": None, "instance": None, "owners": []}

    def trace_of(self, function_type: Any, context: Any, operations: int, seconds: float) -> FunctionTrace:
        """The trace that has been made for arguments of these types."""
        arguments = signatures.signature(function_type, self.variadic)
        surroundings = surroundings_of(context)
        why = self.cause(arguments, surroundings)
        frame, requested = caller()
        return FunctionTrace(
            number=len(self.traces) + 1,
            function=self.name,
            signature=arguments,
            cause=why,
            avoidable=not requested and all(change.avoidable for change in why.changes),
            seconds=seconds,
            operations=operations,
            file=frame.f_code.co_filename if frame is not None else "",
            line=frame.f_lineno if frame is not None else 0,
            requested=requested,
            decorator=self.decorator,
            surroundings=surroundings,
        )

    def admit(self, trace: FunctionTrace) -> None:
        """Report a trace to whoever watches; raises RetraceError if it isn't allowed."""
        __tracebackhide__ = True
        if recording.RECORDER is not None:
            recording.RECORDER.traced(self, trace)
        for watcher in (*watching.WATCHERS,):
            watcher(self, trace)
        count = trace.counts + sum(earlier.counts for earlier in self.traces)
        if self.max_traces is not None and trace.counts and count > self.max_traces:
            raise refused(trace, over(count, f"`max_traces={self.max_traces}`"))

    def record(self, trace: FunctionTrace) -> None:
        """Add a trace to the account."""
        self.traces.append(trace)
        if self.family is not None:
            self.family.traces.append(replace(trace, number=len(self.family.traces) + 1))
            self.family.owners.append(self.instance)

    def advise_on(self, trace: FunctionTrace) -> None:
        """Warn at the user's call where a trace could be avoided."""
        if self.is_of_library:
            return
        frame, _ = caller()
        if trace.cause.now == "made again":
            self.advise_once_made_often(trace, frame)
        if trace.avoidable:
            everywhere = trace.cause.kind == "instance died" and self.family is not None
            self.advise(trace, self.family.traces if everywhere and self.family else self.traces, frame)

    def cause(self, arguments: tuple[TracedArgument, ...], surroundings: tuple[tuple[str, str], ...]) -> TraceCause:
        if self.traces:
            found = cause(arguments, surroundings, self.traces)
            if not self.reduce_retracing:
                return found
            return replace(found, changes=tuple(relaxing(change) for change in found.changes))
        if self.family is not None and self.family.traces:
            last = self.family.owners[-1]
            gone = last is not None and last() is None
            return TraceCause((Change("instance died" if gone else "instance"),))
        return TraceCause((Change("first", "", *self.made_before()),))

    def made_before(self) -> tuple[str, str]:
        """How often this line has made a function of the same code before that is gone."""
        if not isinstance(self.code, types.CodeType):
            return "", ""
        remakes = remakes_of(self.code, self.made_at)
        remakes.again += remakes.last is not None and remakes.last() is None
        remakes.last = weakref.ref(self)
        return (times(remakes.again), "made again") if remakes.again else ("", "")

    def advise(self, trace: FunctionTrace, traces: list[FunctionTrace], frame: types.FrameType | None) -> None:
        """Warns at the caller's line from the second avoidable trace on, once for each cause."""
        count = sum(earlier.avoidable for earlier in traces)
        sort = (trace.cause.kind, trace.cause.argument)
        advised = (self.family or self).advised
        if count < ADVISED_AFTER or sort in advised:
            return
        advised.add(sort)
        warn(warning(replace(trace, number=len(traces)), count), frame)

    def advise_once_made_often(self, trace: FunctionTrace, frame: types.FrameType | None) -> None:
        if remakes_of(self.code, self.made_at).again == ADVISED_AFTER_MADE:
            warn(made_again(trace), frame)


@dataclass
class Remakes:
    """What is known of the functions that a line made of the same code before."""

    code: weakref.ref[types.CodeType]
    last: weakref.ref[Account] | None = None
    again: int = 0


REMAKES: dict[tuple[int, str, int], Remakes] = {}


def remakes_of(code: types.CodeType, made_at: tuple[str, int]) -> Remakes:
    """By identity: code that is written alike in two places is equal."""
    key = (id(code), *made_at)
    if key not in REMAKES:
        REMAKES[key] = Remakes(weakref.ref(code, lambda _: REMAKES.pop(key, None)))
    return REMAKES[key]


def warn(text: str, frame: types.FrameType | None) -> None:
    """Warns at the line of that frame."""
    if frame is None:
        warnings.warn(text, RetracingWarning, stacklevel=3)
        return
    warn_at(frame, text, RetracingWarning)


TensorFlowCache: Any = function_cache.FunctionCache


class AccountedCache(TensorFlowCache):
    """TensorFlow's cache of a function's traces, with the account of what is put into it."""

    def __init__(self, account: Account) -> None:
        TensorFlowCache.__init__(self)
        self.account = account

    def lookup(self, function_type: Any, context: Any = None) -> Any:
        return TensorFlowCache.lookup(self, function_type, told_apart(function_type, context))

    def generalize(self, context: Any, function_type: Any) -> Any:
        return TensorFlowCache.generalize(self, told_apart(function_type, context), function_type)

    def delete(self, function_type: Any, context: Any = None) -> bool:
        return TensorFlowCache.delete(self, function_type, told_apart(function_type, context))

    def add(self, fn: Any, context: Any = None) -> None:
        trace = trace_added(self.account, fn, context)
        self.account.admit(trace)
        TensorFlowCache.add(self, fn, told_apart(fn.function_type, context))
        self.account.record(trace)
        self.account.advise_on(trace)


def trace_added(account: Account, fn: Any, context: Any) -> FunctionTrace:
    """The trace that TensorFlow has just finished and is about to store."""
    began: float = getattr(watching.RUNNING, "finished", time.perf_counter())
    operations = operation_count(fn.graph)
    return account.trace_of(fn.function_type, context, operations, time.perf_counter() - began)


@contextlib.contextmanager
def timed() -> Generator[None]:
    """Around the running of the Python code: what is then put into the cache has taken since its beginning."""
    began = time.perf_counter()
    yield
    watching.RUNNING.finished = began


def told_apart(function_type: Any, context: Any) -> Any:
    """The surroundings as TensorFlow keys them, and the types of Python values that are equal without being alike."""
    found = signatures.literal_types(function_type)
    return context._replace(scope_type=(context.scope_type, found)) if found and context is not None else context


def relaxing(change: Change) -> Change:
    return replace(change, relaxes=True) if change.kind in ("shape", "rank") else change


def surroundings_of(context: Any) -> tuple[tuple[str, str], ...]:
    """What TensorFlow keys a trace by beside its arguments, each under the name by which it is explained."""
    found = [("variables", str(getattr(context, "scope_type", "")))]
    names = {
        "parent_graph": "graph",
        "device_functions": "device",
        "in_cross_replica_context": "strategy",
        "variable_policy": "saving",
    }
    inner = getattr(context, "context", None)
    for name in getattr(inner, "_fields", ()):
        value: Any = getattr(inner, name)
        found.append((names.get(name, "other"), str(id(value)) if name == "parent_graph" and value else str(value)))
    return tuple(found)


def caller() -> tuple[types.FrameType | None, bool]:
    """The frame of the user's call, and whether it asks for a trace by name."""
    frame = inspect.currentframe()
    requested = False
    while frame is not None and is_internal(frame.f_code.co_filename):
        requested = requested or frame.f_code.co_name in ("get_concrete_function", "save", "export")
        frame = frame.f_back
    return frame, requested


def is_called_by_library() -> bool:
    """Whether it is code of TensorFlow or Keras that calls Graphwright."""
    frame = inspect.currentframe()
    while frame is not None and is_own_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame is not None and is_tensorflow_file(frame.f_code.co_filename)


def is_internal(file: str) -> bool:
    """Whether a frame in a file isn't the one that the user's call is in."""
    return is_own_file(file) or is_tensorflow_file(file) or is_standard_file(file) or is_generated_file(file)
