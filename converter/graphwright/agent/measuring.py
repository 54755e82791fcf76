"""Times a function, eager against graph, and runs it; it does what the user's code does, with all its effects."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any

from .arguments import EvaluatedArguments
from .graphs import value_text
from .wire import ReportedResult, Times

MOST_CALLS = 200
FEWEST_CALLS = 3
LONGEST_TEXT = 4000


def measured(graph: Callable[..., Any], given: EvaluatedArguments, tf: Any, seconds: float) -> tuple[Any, Times]:
    """The result, and seconds of eager calls, graph calls and the first graph call, within a share of the time."""
    began = time.perf_counter()
    value = _called(graph, given, tf)
    first = time.perf_counter() - began
    compiled = tuple(_timed(graph, given, tf, seconds / 2))
    with eagerly(tf):
        _called(graph, given, tf)
        eager = tuple(_timed(graph, given, tf, seconds / 2))
    return value, Times(eager, compiled, first)


@contextmanager
def eagerly(tf: Any) -> Generator[None, None, None]:
    """Whatever is a tf.function runs as plain Python meanwhile."""
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)


def _timed(function: Callable[..., Any], given: EvaluatedArguments, tf: Any, seconds: float) -> Iterator[float]:
    until = time.perf_counter() + seconds
    for count in range(MOST_CALLS):
        began = time.perf_counter()
        if count >= FEWEST_CALLS and began > until:
            return
        _called(function, given, tf)
        yield time.perf_counter() - began


def _called(function: Callable[..., Any], given: EvaluatedArguments, tf: Any) -> Any:
    value = function(*given.positional, **given.named)
    for each in tf.nest.flatten(value):
        # A result that is on another device is there once it has been fetched.
        if tf.is_tensor(each) and hasattr(each, "numpy") and "CPU" not in str(getattr(each, "device", "CPU")):
            each.numpy()
    return value


def shown(value: Any) -> ReportedResult:
    """What came out: the values, cut where there are many, and their specs."""
    text = repr(value)
    if len(text) > LONGEST_TEXT:
        text = f"{text[:LONGEST_TEXT]}... ({len(text):,} characters)"
    return ReportedResult(text, value_text(value))
