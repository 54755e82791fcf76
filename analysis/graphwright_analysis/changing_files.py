"""What the files of a project change of TensorFlow and Keras, found by their trees alone."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from .project_files import refuse_long
from .sources import Sources
from .tracing import FlowCache, changes_in, may_change, may_extend
from .user_files import Unreadable


@dataclass(frozen=True, slots=True)
class Changes:
    """What one file changes."""

    state: object = None
    names: frozenset[str] = frozenset()
    extends: bool = False
    """Whether it takes a run of the file to see what it stores on TensorFlow's classes."""


@dataclass(slots=True)
class ChangingFiles:
    sources: Sources
    _known: dict[str, Changes] = field(default_factory=dict[str, Changes])

    def changes(self, path: str) -> Changes:
        with suppress(Unreadable):
            state = self.sources.state_of(path)
            if path not in self._known or self._known[path].state != state:
                self._known[path] = self._look(path, state)
            return self._known[path]
        return Changes()

    def _look(self, path: str, state: object) -> Changes:
        text = self.sources.text(path)
        refuse_long(path, text)
        if not may_change(text):
            return Changes(state)
        module = self.sources.module(path)
        extends = may_extend(module) and not self.sources.is_installed(path)
        return Changes(state, changes_in(module, FlowCache()), extends)
