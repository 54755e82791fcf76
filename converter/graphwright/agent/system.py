"""What Linux offers to find and end every process that descends from this one, however it was started.

On other systems `CAN_KEEP` is False, and nothing here may be called.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator

CAN_KEEP = sys.platform == "linux" and os.path.exists("/proc/self/stat")
"""Whether orphans can be adopted and processes listed."""

_PATIENCE = 5.0
"""Seconds after which processes that don't end, because the system holds them, are left alone."""
_PAUSE = 0.002
_DIES_WITH_PARENT, _ADOPTS_ORPHANS = 1, 36


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    _prctl(_ADOPTS_ORPHANS, 1)


def end_with_parent(parent: int) -> None:
    """Have the system end this process with its parent, which must have one thread alone."""
    _prctl(_DIES_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # it ended before


def end_descendants(spared: frozenset[int] = frozenset(), child: int | None = None) -> int | None:
    """End all processes that descend from this one, and return how one of its own children has ended."""
    statuses = dict[int, int]()
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        left = [process for process in _descendants() if process not in spared]
        for process in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        statuses |= _ended_children()
        # One whose first thread has ended is no longer alive, but has no status before all of them have.
        if not left and (child is None or child in statuses):
            break
        time.sleep(_PAUSE)
    return None if child is None else statuses.get(child)


def has_ended(process: int) -> bool:
    """Whether a process is gone, or waits only for its parent to notice."""
    return _state(process)[0] in ("", "Z")


def _ended_children() -> dict[int, int]:
    statuses = dict[int, int]()
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            statuses[ended[0]] = ended[1]
    return statuses


def _descendants() -> Iterator[int]:
    """All living ones; children whose parent has ended since are found the next time."""
    children = dict[int, list[int]]()
    for name in os.listdir("/proc"):
        if name.isdigit():
            state, parent = _state(int(name))
            children.setdefault(parent, []).append(int(name) if state != "Z" else -int(name))
    pending = [os.getpid()]
    while pending:
        found = children.get(pending.pop(), ())
        yield from (each for each in found if each > 0)
        pending += [abs(each) for each in found]


def _state(process: int) -> tuple[str, int]:
    """The letter for a process' state, and its parent; an empty one where it's gone."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            # The name, between parentheses, may hold anything.
            state, parent = file.read().rpartition(b")")[2].split()[:2]
    except (OSError, ValueError):
        return "", 0
    return state.decode("ascii"), int(parent)


def _prctl(option: int, value: int) -> None:
    """Where a sandbox refuses it, orphans aren't found; all others are."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
