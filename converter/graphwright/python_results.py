"""Methods whose result Python itself needs, such as `__repr__`: they and what they call run as they are written.

A string tensor is no text for `repr` and `str`, so nothing that such a method formats may become part of the graph.
What converted code calls by name, as in `x.__str__()`, is converted like any other method.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

from .building import executing_eagerly

_NEEDED = frozenset({"__repr__", "__str__", "__format__", "__bytes__", "__hash__"})


class _Running(threading.local):
    """How many such methods are running in this thread."""

    depth = 0


_running = _Running()


def runs_as_written() -> bool:
    """True where the user's own code runs: outside of graphs, and for a result that Python needs."""
    return executing_eagerly() or _running.depth > 0


def as_written(method: Any) -> Callable[..., Any] | None:
    """The method, which tells the entrances into converted code that it runs, or None if its result may be a tensor."""
    if getattr(method, "__name__", None) not in _NEEDED:
        return None

    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        _running.depth += 1
        try:
            return method(*args, **kwargs)
        finally:
            _running.depth -= 1

    return call
