"""Notices that the process which started the server is gone, so that the server doesn't outlive it.

A process that can't be seen from here (another container, say) is not watched.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

_INTERVAL = 0.5


async def watch(process: int, gone: Callable[[], None]) -> None:
    """Call `gone` once the process no longer exists."""
    while exists(process):
        await asyncio.sleep(_INTERVAL)
    gone()


def exists(process: int) -> bool:
    """Whether a process can be seen from here."""
    if sys.platform == "win32":
        return _exists_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # it is there, but not ours
    return True


def _exists_on_windows(process: int) -> bool:
    if sys.platform != "win32":
        return True
    import ctypes

    synchronize, still_waiting = 0x00100000, 0x102
    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(synchronize, 0, process)
    if not handle:
        return False
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == still_waiting)
    finally:
        kernel.CloseHandle(handle)
