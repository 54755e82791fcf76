"""What the user's code prints, written to the log: no more of it in a second than somebody could look at."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

_MOST_LINES = 200
"""In a second."""

_log = logging.getLogger(__name__)


class OutputLog:
    """The output of one run, under a name."""

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._second = self._logged = self._dropped = 0

    def add(self, line: str) -> None:
        """Log a line, or count it where too many came before it."""
        second = int(self._clock())
        if second != self._second:
            self.end()
            self._second, self._logged = second, 0
        self._logged += 1
        if self._logged > _MOST_LINES:
            self._dropped += 1
        else:
            _log.info("%s: %s", self._name, line)

    def end(self) -> None:
        """Say how many lines were left out."""
        if self._dropped:
            _log.info("%s: ... cut: %s lines that came too fast", self._name, f"{self._dropped:,}")
            self._dropped = 0
