"""What the system is asked about a process of ours and its children: their memory, and their end.

Where a system can't say how much memory they hold, the answer is None.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess  # `check` asks for the number of processors alone

GROUP: dict[str, Any] = (
    {"creationflags": 0x00000200} if sys.platform == "win32" else {"start_new_session": True}  # a group of its own
)
"""How to start a process so that it can be ended with all that it has started."""

CAN_KEEP = sys.platform == "linux"
"""Whether a process of ours finds and ends all that descends from it, and so may serve one request after another."""
PATIENCE = 8.0
"""Seconds for that, after which it's ended from here: longer than its own."""

MOST_HELD = 1_200_000_000
"""A process that only checks files forgets what it remembers when it holds more, so that one large file more keeps it
below 2 GB."""

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it has started, at once."""
    if sys.platform == "win32":
        import subprocess

        # /T takes the children along, of which Windows keeps no group.
        command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        with contextlib.suppress(OSError):
            subprocess.run(command, capture_output=True, check=False)
        with contextlib.suppress(OSError):
            process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def available_processors() -> int:
    """How many processes may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def resident(process: int) -> int:
    """How many bytes one process holds without its children; 0 where the system doesn't tell that at once."""
    return (_sizes(process) or (0, 0))[0]


class MemoryWatch:
    """Watches how much memory a process and its children hold, without asking more often than it pays."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._asked = 0.0

    def held(self, limit: int, spared: frozenset[int] = frozenset()) -> int | None:
        """Bytes, or None where that isn't known now. Up to the limit, memory that processes share may count twice.

        What the spared processes hold themselves doesn't count.
        """
        if sys.platform == "linux":
            counted = [each for each in _with_children(self._process, 5) if each not in spared]
            held = [size for each in counted if (size := resident(each))]
            if sum(held) <= limit:
                return sum(held) or None
            if max(held) > limit:
                return max(held)
        # What follows takes milliseconds: a walk over all pages, a process, or a library call.
        if time.monotonic() - self._asked < _PAUSE:
            return None
        self._asked = time.monotonic()
        if sys.platform == "linux":
            return _shared_once(counted)
        return _windows(self._process) if sys.platform == "win32" else _posix(self._process)


_PAUSE = 0.5
"""Seconds between two measurements that take long."""


def _shared_once(counted: list[int]) -> int:
    """Bytes of a process and its children, where each page counts once: after a fork they share all of them."""
    total = 0
    for each in counted:
        share = _proportional(each)
        if share is None:
            # The system doesn't report shares: of a child, pages that come from files are left out.
            resident, from_files = _sizes(each) or (0, 0)
            share = resident if each == counted[0] else resident - from_files
        total += share
    return total


def _proportional(process: int) -> int | None:
    """Bytes, each page divided by the number of processes that hold it."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return None


def _sizes(process: int) -> tuple[int, int] | None:
    """Bytes that are resident, and how many of them come from files; None if the process is gone."""
    with contextlib.suppress(OSError, ValueError):
        resident, from_files = Path(f"/proc/{process}/statm").read_text("ascii").split()[1:3]
        return int(resident) * _PAGE, int(from_files) * _PAGE
    return None


def _with_children(process: int, depth: int) -> Iterator[int]:
    yield process
    if depth == 0:
        return
    with contextlib.suppress(OSError, ValueError):
        for child in Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split():
            yield from _with_children(int(child), depth - 1)


def _posix(process: int) -> int | None:
    """The process group's, as `ps` tells it in units of 1,024 bytes."""
    import subprocess

    with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
        command = ["ps", "-o", "rss=", "-g", str(process)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=5)
        return sum(int(each) for each in done.stdout.split()) * 1024 or None
    return None


def _windows(process: int) -> int | None:
    """The process' own alone."""
    if sys.platform != "win32":
        return None
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        _fields_ = [
            ("cb", wintypes.DWORD),
            ("faults", wintypes.DWORD),
            *((name, ctypes.c_size_t) for name in ("peak", "working", "a", "b", "c", "d", "pagefile", "peak_pagefile")),
        ]

    kernel, query_information = ctypes.windll.kernel32, 0x0400 | 0x0010
    kernel.OpenProcess.restype = wintypes.HANDLE
    handle = kernel.OpenProcess(query_information, False, process)
    if not handle:
        return None
    try:
        counters = Counters()
        counters.cb = ctypes.sizeof(counters)
        told = kernel.K32GetProcessMemoryInfo(wintypes.HANDLE(handle), ctypes.byref(counters), counters.cb)
        return int(counters.working) if told else None
    finally:
        kernel.CloseHandle(wintypes.HANDLE(handle))
