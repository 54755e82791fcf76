"""What a project remembers of its files between two questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .imports import Import
from .left_behind import Dependencies
from .outlines import Outline, Text
from .reports import Report
from .settings import Settings
from .syntax import Block, Module
from .tracing import FlowCache, Trace
from .values.keras_choice import KerasChoice
from .values.tensorflow.tables import Version


class CachedReport(NamedTuple):
    """What a run has told of a file, and what that depends on."""

    settings: Settings
    trace: Trace
    modules: Mapping[str, Module]
    """Of the file and of those that its findings point into."""
    report: Report


@dataclass(slots=True)
class FileCache:
    """What is remembered of one file."""

    module: Module
    flow: FlowCache
    stamp: tuple[int, int] | None = None
    """The time and size of the file on the disk that the text was read from."""
    buffer: str | None = None
    """The editor's, if that is what the text is."""
    cells: tuple[str, ...] | None = None
    used: Dependencies = field(default_factory=Dependencies)
    """What the trace has got of other files."""
    asked: set[tuple[str, str | None]] = field(default_factory=set["tuple[str, str | None]"])
    """What was asked of them to see whether a graph may begin."""
    trace: Trace | None = None
    shown: tuple[Trace, Trace, Dependencies] | None = None
    """The trace, the same with what is only shown, and what that has got of other files."""
    libraries: tuple[Version, KerasChoice] | None = None
    """What it was traced for."""
    reports: dict[str, CachedReport] = field(default_factory=dict[str, "CachedReport"])
    """What runs of this file and of others, by their paths, have told of it."""
    outline: Outline | None = None
    imported: Mapping[Import, None] | None = None
    """What it imports, as it is written."""
    _asking: Text | None = None

    @property
    def asking(self) -> Text:
        """What its text may ask of other files."""
        if self._asking is None:
            self._asking = Text.together([self.flow.text_of(piece) for piece in self.module.pieces])
        return self._asking

    @property
    def blocks(self) -> set[Block]:
        """Its own and those of the files that it uses."""
        used = self.used.exports.values()
        return {*self.module.starts_of}.union(*[left.exports.blocks for left in used if left is not None])


@dataclass(slots=True)
class ProjectCache:
    buffers: dict[str, str] = field(default_factory=dict[str, str])
    cells: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The parts of those buffers that are notebooks."""
    files: dict[str, FileCache] = field(default_factory=dict[str, FileCache])
