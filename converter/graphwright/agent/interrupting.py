"""Reports where the user's code is when its time is over, in the user's own lines.

It works from another thread and ends nothing. Code that never lets another thread run is left to `faulthandler`, which
reads the frames of threads that run on and may crash in one that does: it's called off before a thread looks here.
"""

from __future__ import annotations

import faulthandler
import sys
import threading
import traceback
import types
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from .places import frame_at, is_own, is_users
from .wire import Whereabouts

PATIENCE = 1.0
"""Seconds after which another thread that should have looked won't any more."""
AT_ONCE = 0.01


def report_after(seconds: float, dump: int, send: Callable[[Whereabouts], None]) -> None:
    """Call `send` from another thread with where the current thread is after so many seconds.

    Where that can't be told, Python writes it to the descriptor `dump`.
    """
    thread = threading.get_ident()

    def watch() -> None:
        faulthandler.cancel_dump_traceback_later()
        try:
            frame = sys._current_frames().get(thread)  # pyright: ignore[reportPrivateUsage]
            send(whereabouts(frame))
        except Exception:
            # A traceback from here would only hide what faulthandler prints.
            faulthandler.dump_traceback_later(AT_ONCE, file=dump)

    faulthandler.dump_traceback_later(seconds + PATIENCE, file=dump)

    timer = threading.Timer(seconds, watch)
    timer.daemon = True
    timer.start()


def whereabouts(frame: types.FrameType | None) -> Whereabouts:
    """Where a stack is, given its innermost frame."""
    lines = [*_lines(frame)]
    users = [frame_at(file, line, name) for file, line, name in lines if is_users(file)]
    # The functions that AutoGraph makes of one branch or loop call each other on one line of the source.
    frames = tuple(frame for frame, _ in groupby(users))
    return Whereabouts(frames, "".join(traceback.format_list([traceback.FrameSummary(*each) for each in lines])))


def _lines(frame: types.FrameType | None) -> Iterator[tuple[str, int, str]]:
    """File, line and function of each frame from the outermost on, those of AutoGraph's generated code in the source
    that it was generated from; without the agent's frames."""
    sources = dict[str, dict[int, tuple[str, int, str]]]()
    for each, line in reversed([*traceback.walk_stack(frame)]):
        file = each.f_code.co_filename
        if file in sources:
            known = sources[file]
            numbers = sorted(known)
            # A line that AutoGraph has added is counted to the one above it.
            index = max(bisect_right(numbers, line) - 1, 0)
            yield known[numbers[index]]
        elif not is_own(file):
            yield file, line, each.f_code.co_name
        _collect(each, sources)


def _collect(frame: types.FrameType, sources: dict[str, dict[int, tuple[str, int, str]]]) -> None:
    """Add the source map of a function that the frame, which is AutoGraph's own, is about to call."""
    if frame.f_code.co_name != "converted_call":
        return
    converted: Any = frame.f_locals.get("converted_f")
    for generated, origin in getattr(converted, "ag_source_map", {}).items():
        found = origin.loc.filename, origin.loc.lineno, origin.function_name
        sources.setdefault(generated.filename, {})[generated.lineno] = found
