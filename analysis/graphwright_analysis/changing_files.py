"""What the files of a project change in TensorFlow and Keras, from their trees, without running any."""

from __future__ import annotations

from contextlib import suppress

from .immutability import immutable
from .project_files import refuse_long
from .queries import question
from .sources import Sources
from .tracing import FlowCache, changes_in, may_change, may_extend
from .user_files import Unreadable


@immutable
class Changes:
    """What one file changes."""

    names: frozenset[str] = frozenset()
    extends: bool = False
    """True if only a run of the file shows what it stores on TensorFlow's classes."""


@question()
def changes_of(sources: Sources, path: str) -> Changes:
    """What a file changes; nothing if it can't be read."""
    with suppress(Unreadable):
        text = sources.text(path)
        refuse_long(path, text)
        if may_change(text):
            module = sources.module(path)
            return Changes(changes_in(module, FlowCache()), may_extend(module) and not sources.is_installed(path))
    return Changes()
