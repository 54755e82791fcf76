"""What the files of a project change of TensorFlow and Keras, found by their trees alone."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from .project_files import refuse_long
from .syntax import Module
from .tracing import FlowCache, changes_in, may_change, may_extend
from .user_files import Unreadable


class ParsedFiles(Protocol):
    """What the project knows of its files."""

    def text(self, path: str) -> str: ...
    def state_of(self, path: str) -> object: ...
    def module(self, path: str) -> Module: ...
    def is_installed(self, path: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Changes:
    """What one file changes."""

    state: object = None
    names: frozenset[str] = frozenset()
    extends: bool = False
    """Whether it takes a run of the file to see what it stores on TensorFlow's classes."""


@dataclass(slots=True)
class ChangingFiles:
    files: ParsedFiles
    _known: dict[str, Changes] = field(default_factory=dict[str, Changes])

    def changes(self, path: str) -> Changes:
        with suppress(Unreadable):
            state = self.files.state_of(path)
            if path not in self._known or self._known[path].state != state:
                self._known[path] = self._look(path, state)
            return self._known[path]
        return Changes()

    def _look(self, path: str, state: object) -> Changes:
        text = self.files.text(path)
        refuse_long(path, text)
        if not may_change(text):
            return Changes(state)
        module = self.files.module(path)
        return Changes(state, changes_in(module, FlowCache()), may_extend(module) and not self.files.is_installed(path))
