"""Random numbers and clocks of Python and NumPy in a branch or loop of the graph: asked once, with a warning.

What is drawn elsewhere in a trace isn't told: it may be what a variable begins with.
"""

from __future__ import annotations

import datetime as dt
import functools
import sys
import time
from typing import Any, cast

from graphwright.errors import FrozenRandomWarning, FrozenTimeWarning
from graphwright.runtime.basis.births import is_in_construct
from graphwright.runtime.functions.callers_frames import visible, warn_at

_SOURCES = frozenset(
    {
        *(("random", "Random"), ("random", "SystemRandom")),
        *(("numpy.random.mtrand", "RandomState"), ("numpy.random._generator", "Generator")),
    }
)
"""The classes whose methods draw; NumPy's by name, since it isn't imported here."""
_WITHOUT_DRAWS = frozenset(("getstate", "get_state", "seed", "setstate", "set_state", "spawn"))
_CLOCKS = frozenset(
    {
        *(time.time, time.time_ns, time.perf_counter, time.perf_counter_ns, time.monotonic, time.monotonic_ns),
        *(time.process_time, time.process_time_ns, dt.datetime.now),
        *(dt.datetime.today, dt.date.today),
    }
)


def draws(method: Any) -> bool:
    """Whether a method draws random numbers, or reads a clock."""
    if method in _CLOCKS:
        return True
    kind = cast("Any", type(method.__self__))
    return (kind.__module__, kind.__name__) in _SOURCES and method.__name__ not in _WITHOUT_DRAWS


def told(method: Any) -> Any:
    """The method, with a warning before it draws or reads."""
    return functools.partial(_drawn, method)


def _drawn(method: Any, /, *args: Any, **kwargs: Any) -> Any:
    frame = visible(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
    if frame is not None and is_in_construct():
        is_clock = method in _CLOCKS
        text = (_READ if is_clock else _DRAWN).format(method.__name__)
        warn_at(frame, text, FrozenTimeWarning if is_clock else FrozenRandomWarning)
    return method(*args, **kwargs)


_DRAWN = (
    "`{}` draws its random numbers once, while this branch or loop is traced: the graph uses the same ones each time. "
    "Use tf.random, or pass the numbers as an argument."
)
_READ = (
    "`{}` reads the clock once, while this branch or loop is traced: the graph uses that time whenever it runs. Use "
    "tf.timestamp()."
)
