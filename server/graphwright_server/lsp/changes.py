"""A count of all that may change an answer, to be waited on.

What changed is not said: whoever waits looks for itself.
"""

from __future__ import annotations

import asyncio
import contextlib

_QUIET = 0.5
_LONGEST = 5.0


class ChangeCounter:
    """Counts changes; to be used from the message loop's thread."""

    def __init__(self) -> None:
        self.count = 0
        self._event = asyncio.Event()

    def note(self) -> None:
        """Something has changed."""
        self.count += 1
        self._event.set()
        self._event = asyncio.Event()

    async def after(self, count: int, seconds: float) -> None:
        """Wait for a change after so many, and then until no more come; at most so many seconds for the first."""
        if self.count == count:
            await self._next(seconds)
        for _ in range(int(_LONGEST / _QUIET)):
            count = self.count
            await self._next(_QUIET)
            if self.count == count:
                return

    async def _next(self, seconds: float) -> None:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._event.wait(), seconds)
