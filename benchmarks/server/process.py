"""What a process and its children have used, as Linux counts it; nothing here talks to them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Memory:
    """In bytes: what is resident, and what is left when shared pages are shared out."""

    resident: int
    proportional: int


def cpu_seconds(process: int) -> float:
    """The time that a process and its children have computed, threads that have ended included."""
    total = 0.0
    for each in tree(process):
        with contextlib.suppress(OSError):
            # The number of a process's clock, as clock_getcpuclockid makes it.
            total += time.clock_gettime(~each << 3 | 2)
    return total


def memory(process: int) -> Memory:
    found = {"Rss": 0, "Pss": 0}
    for each in tree(process):
        for line in _read(each, "smaps_rollup").splitlines():
            name, _, value = line.partition(":")
            if name in found:
                found[name] += int(value.split()[0]) * 1024
    return Memory(found["Rss"], found["Pss"])


def tree(process: int) -> Iterator[int]:
    yield process
    for thread in Path(f"/proc/{process}/task").glob("*"):
        try:
            children = (thread / "children").read_text("ascii").split()
        except OSError:
            continue
        for child in children:
            yield from tree(int(child))


def _read(process: int, name: str) -> str:
    try:
        return Path(f"/proc/{process}/{name}").read_text("ascii", "replace")
    except OSError:
        return ""
