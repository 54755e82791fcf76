"""Random numbers of Python and NumPy in a branch or loop of the graph: drawn once, while it is traced, with a warning.

What is drawn elsewhere in a trace isn't told: it may be what a variable begins with.
"""

from __future__ import annotations

import functools
import sys
from typing import Any, cast

from graphwright.errors import FrozenRandomWarning
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


def draws(method: Any) -> bool:
    """Whether a method draws random numbers."""
    kind = cast("Any", type(method.__self__))
    return (kind.__module__, kind.__name__) in _SOURCES and method.__name__ not in _WITHOUT_DRAWS


def told(method: Any) -> Any:
    """The method, with a warning before it draws."""
    return functools.partial(_drawn, method)


def _drawn(method: Any, *args: Any, **kwargs: Any) -> Any:
    frame = visible(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
    if frame is not None and is_in_construct():
        text = (
            f"`{method.__name__}` draws its random numbers once, while this branch or loop is traced: the graph uses "
            "the same ones each time. Use tf.random, or pass the numbers as an argument."
        )
        warn_at(frame, text, FrozenRandomWarning)
    return method(*args, **kwargs)
