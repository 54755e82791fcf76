"""Raises on retraces: `gw.no_retrace()` and the limits that tests set.

It compares no arguments: `traces` finds the cause of a trace, and `explaining` puts it into words.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import weakref
from collections import Counter
from collections.abc import Generator
from dataclasses import replace
from types import TracebackType
from typing import Any

from graphwright import reporting
from graphwright.errors import RetraceError
from graphwright.explaining import refusal, times
from graphwright.traces import Change, FunctionTrace, TraceCause
from graphwright.watching import Watcher, watching


@contextlib.contextmanager
def no_retrace(*, first: bool = True) -> Generator[None]:
    """Raise RetraceError where a `gw.function` or a plain `tf.function` is retraced inside the block.

    The first trace of a function is allowed; with `first=False` it isn't either. Also works as a decorator.
    """
    firsts = FirstTraces()

    def refuse(account: Any, trace: FunctionTrace) -> None:
        __tracebackhide__ = True
        trace = firsts.with_cause(account, trace)
        if not trace.counts or (first and is_first(trace)):
            return
        raise refused(trace, "retraced inside `no_retrace()`" if first else "traced inside `no_retrace(first=False)`")

    with watching(refuse):
        try:
            yield
        except RetraceError as error:
            hide_frames(error, error.__traceback__.tb_next if error.__traceback__ is not None else None)
            raise


def hide_frames(error: BaseException, raised: TracebackType | None) -> None:
    """Leave the user's frames alone: in place, because contextlib puts back the traceback that it had."""
    if raised is not None and isinstance(error, RetraceError) and not reporting.full_tracebacks():
        tracebacks = importlib.import_module("graphwright.runtime.errors.tracebacks")
        raised.tb_next = tracebacks.users_part(raised.tb_next)


def limit(allowed: int, rule: str) -> Watcher:
    """A watcher that allows each function so many traces. Functions that one line makes again and again are one."""
    firsts = FirstTraces()
    counts: Counter[Any] = Counter()

    def refuse(account: Any, trace: FunctionTrace) -> None:
        __tracebackhide__ = True
        trace = firsts.with_cause(account, trace)
        if trace.counts:
            key = account.code if trace.cause.now == "made again" else id(account)
            counts[key] += 1 if key in counts or key == id(account) else 2
            if counts[key] > allowed:
                raise refused(trace, over(counts[key], rule))

    return refuse


def noting_refusals(watcher: Watcher) -> tuple[Watcher, list[RetraceError]]:
    """The watcher, and the list to which it adds each error that it raises."""
    refusals: list[RetraceError] = []

    def note(account: Any, trace: FunctionTrace) -> None:
        __tracebackhide__ = True
        try:
            watcher(account, trace)
        except RetraceError as error:
            refusals.append(error)
            raise

    return note, refusals


class FirstTraces:
    """The functions whose first trace was seen, to tell those that a line makes again each time it runs."""

    def __init__(self) -> None:
        self.made: dict[Any, tuple[int, weakref.ref[Any]]] = {}

    def with_cause(self, account: Any, trace: FunctionTrace) -> FunctionTrace:
        """The trace, with "made again" as its cause if the earlier function of the same code is gone."""
        if trace.cause.kind != "first":
            return trace
        count, earlier = self.made.get(account.code, (0, None))
        if earlier is not None:
            gc.collect()  # A tf.function is part of a cycle.
        again = count + 1 if earlier is not None and earlier() is None else 0
        self.made[account.code] = again, weakref.ref(account)
        change = Change("first", "", times(again), "made again") if again else Change("first")
        return replace(trace, cause=TraceCause((change,)))


def is_first(trace: FunctionTrace) -> bool:
    return trace.cause.kind in ("first", "instance") and trace.cause.now != "made again"


def over(count: int, rule: str) -> str:
    """Return how a function exceeded a limit."""
    return f"traced {times(count)}; the limit is {rule}"


def refused(trace: FunctionTrace, how: str) -> RetraceError:
    """The error that refuses a trace; AutoGraph can make it again from its message alone."""
    error = RetraceError(refusal(trace, how))
    error.trace = trace
    return error
