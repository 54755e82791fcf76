"""Room on Python's stack for deeply nested calls.

It changes only how fast they are: the recursion limit stays the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_SLOTS = 66_000
"""The size of the stack of a function with room, in values: a little more than 512 KB.

Python 3.11 and later store frames in chunks of 16 KB, and get another chunk from the system where a call doesn't fit
and return it when the call ends. If deep code makes many calls at such a boundary, each gets and returns a chunk. A
frame that needs more gets a chunk of the next power of two, and the frames of all calls inside it share the rest: here,
half a megabyte, which is the size of about 1,000 frames. The unused stack of the frame itself is never touched, so it
takes no memory.
"""


def with_stack_space(function: Callable[P, R]) -> Callable[P, R]:
    """Return the same function, with room for the frames of the calls in it."""

    def roomy(*args: P.args, **kwargs: P.kwargs) -> R:
        return function(*args, **kwargs)

    roomy.__code__ = roomy.__code__.replace(co_stacksize=_SLOTS)
    return functools.wraps(function)(roomy)
