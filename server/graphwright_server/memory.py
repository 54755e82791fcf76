"""How much memory a process of ours holds, and how much one that only checks files may hold."""

from __future__ import annotations

import os

MOST_MEMORY = 1_200_000_000
"""A process that holds more is replaced before its next file, so that one large file more keeps it below 2 GB."""


def memory_of(process: int | str = "self") -> int:
    """Return the bytes of memory that a process holds; 0 where the system doesn't say."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as numbers:
            return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0
