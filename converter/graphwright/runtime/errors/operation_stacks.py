"""Keeps Graphwright's frames out of the stacks that TensorFlow notes with every operation and shows in its errors.

Python's own tracebacks are cleared elsewhere.
"""

from __future__ import annotations

from typing import Any

from graphwright.libraries import own_files
from graphwright.runtime.basis.tensorflow_internals import stacks

TensorFlowFilter: Any = stacks.StackTraceFilter


class OwnFramesFilter(TensorFlowFilter):
    """A context in whose operations' stacks no frame is ours.

    One inside another leaves out the same files, so it shares their set: calls in a trace are nested deeply.
    """

    internal_set: Any
    parent: Any

    def update(self) -> None:
        if isinstance(self.parent, OwnFramesFilter):
            self.internal_set = self.parent.internal_set
        else:
            TensorFlowFilter.update(self)

    def get_filtered_filenames(self) -> frozenset[str]:
        outer: frozenset[str] = self.parent.get_filtered_filenames()
        return outer | own_files()
