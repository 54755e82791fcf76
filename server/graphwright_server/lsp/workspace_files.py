"""The files of the workspace and what is known of each, so that one that is as it was is not checked again.

How the client is told is in `handlers/workspace_diagnostics.py`.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import graphwright_analysis as analysis
from lsprotocol import types

from .documents import Document, Snapshot

_RECENT = 48
# The state of a file: the time and size on the disk, or the buffer that counts instead; None where there is no file.
Stamp = tuple[int, int] | Document | None


@dataclass(frozen=True, slots=True)
class Known:
    """What a file came to, and the files that decided that in the state that they were in."""

    result_id: str
    is_clean: bool
    stamps: tuple[tuple[str, Stamp], ...]
    generation: tuple[int, int]


@dataclass(slots=True)
class WorkspaceFiles:
    """What is known of the workspace's files; `listings` counts how often files may have come or gone."""

    known: dict[str, Known] = field(default_factory=dict[str, Known])
    listings: int = 0
    listed: tuple[tuple[int, int], tuple[Path, ...]] | None = None
    recent: deque[tuple[analysis.Project, str]] = field(default_factory=deque["tuple[analysis.Project, str]"])
    """The files that were checked last: neighbours import the same ones."""

    def note_checked(self, project: analysis.Project, key: str) -> None:
        """Remember little of files that nobody has open; for the worker."""
        self.recent.append((project, key))
        if len(self.recent) > _RECENT:
            earlier, released = self.recent.popleft()
            earlier.release(released)

    def generation(self, snapshot: Snapshot) -> tuple[int, int]:
        """Changes with whatever may change the findings of every file."""
        return snapshot.settings_generation, self.listings


def stamps_of(paths: Iterable[str], snapshot: Snapshot) -> tuple[tuple[str, Stamp], ...]:
    """The states of files as they are now."""
    buffers = {document.key: document for document in snapshot.documents.values()}
    return tuple((path, _stamp(path, buffers)) for path in paths)


def out_of_date(files: WorkspaceFiles, paths: Iterable[Path], snapshot: Snapshot) -> Iterator[str]:
    """The keys of the files of which isn't known what they come to now."""
    generation = files.generation(snapshot)
    buffers = {document.key: document for document in snapshot.documents.values()}
    seen: dict[str, Stamp] = {}
    for path in paths:
        key = str(path)
        known = files.known.get(key)
        if known is None or known.generation != generation:
            yield key
            continue
        for needed, stamp in known.stamps:
            if needed not in seen:
                seen[needed] = _stamp(needed, buffers)
            if seen[needed] != stamp:
                yield key
                break


def files_of(projects: Mapping[Path, analysis.Project], snapshot: Snapshot) -> tuple[Path, ...]:
    """The Python files of the workspace, each once: a folder in another one keeps its own."""
    return tuple(
        file
        for folder, project in projects.items()
        for file in project.files([folder])
        if snapshot.folder_of(file) == folder
    )


def result_id(items: list[types.Diagnostic]) -> str:
    """The same for the same findings, whoever made them."""
    return hashlib.blake2b(repr(items).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _stamp(path: str, buffers: Mapping[str, Document]) -> Stamp:
    return buffers[path] if path in buffers else analysis.stamp_of(path)
