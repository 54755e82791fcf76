"""Takes Graphwright's own frames out of the traceback of an error in the user's code.

The error itself stays as it is, and so does a traceback that has no other frames: that is an error of Graphwright.
"""

from __future__ import annotations

import os
import types


def hide_own_frames(error: BaseException) -> None:
    """Leave only the frames of other people's code, unless GRAPHWRIGHT_FULL_TRACEBACK=1 asks for all."""
    if os.environ.get("GRAPHWRIGHT_FULL_TRACEBACK", "") not in ("", "0"):
        return
    frames: list[types.TracebackType] = []
    traceback = error.__traceback__
    while traceback is not None:
        if not _is_own(traceback.tb_frame):
            frames.append(traceback)
        traceback = traceback.tb_next
    if not frames:
        return
    for frame, following in zip(frames, [*frames[1:], None], strict=True):
        frame.tb_next = following
    error.__traceback__ = frames[0]


def _is_own(frame: types.FrameType) -> bool:
    name = frame.f_globals.get("__name__")
    return isinstance(name, str) and (name == "graphwright" or name.startswith("graphwright."))
