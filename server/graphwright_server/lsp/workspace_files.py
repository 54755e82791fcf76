"""What is known about each file of the workspace, so that unchanged files aren't checked again.

How the client is notified is in `handlers/workspace_diagnostics.py`.
"""

from __future__ import annotations

import hashlib
from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import graphwright_analysis as analysis
from lsprotocol import types

from .checking_process import Buffers
from .documents import Document
from .snapshots import Snapshot

# The state of a file: the time and size on the disk, or the buffer that counts instead; None where there is no file.
Stamp = tuple[int, int] | Document | None


@dataclass(slots=True)
class FileRecord:
    """The last check of a file, besides what it reported."""

    texts: Mapping[str, str]
    """The texts of the files that its reports refer to."""
    settings_generation: int
    result_id: str = ""
    is_clean: bool = True
    """True if the client was last sent no findings for the file, by its own run or those of others."""


@dataclass(slots=True)
class WorkspaceFiles:
    """What is known about the workspace's files; `listings` counts how often files may have come or gone."""

    known: dict[str, FileRecord] = field(default_factory=dict[str, FileRecord])
    runs: analysis.KnownRuns = field(default_factory=lambda: analysis.KnownRuns())
    listings: int = 0
    listed: tuple[tuple[int, int], tuple[Path, ...]] | None = None
    buffers: tuple[Snapshot, Buffers] | None = None
    baselines: Mapping[str, str] = field(default_factory=dict[str, str])
    """The baselines of the files that have one."""

    def buffers_of(self, snapshot: Snapshot) -> Buffers:
        """The buffers that replace files; the same object as long as the snapshot is the same."""
        if self.buffers is None or self.buffers[0] is not snapshot:
            texts: dict[str, str | tuple[str, ...]] = {each.key: each.text for each in snapshot.documents.values()}
            texts |= {each.program.key: tuple(each.program.code) for each in snapshot.notebooks.values()}
            if self.buffers is None or self.buffers[1] != texts:
                self.buffers = snapshot, texts
            else:
                self.buffers = snapshot, self.buffers[1]
        return self.buffers[1]

    def put(self, key: str, record: FileRecord, run: analysis.KnownRun) -> None:
        """Store the result for a file."""
        self.known[key] = record
        self.runs.put(key, run)

    def forget(self, key: str) -> None:
        """Forget a file that is gone."""
        self.known.pop(key, None)
        self.runs.forget(key)

    def found_in(self, key: str) -> tuple[tuple[analysis.Diagnostic, ...], Mapping[str, str]]:
        """The findings in a file by its own run and by those of others, and the texts that they refer to."""
        findings = self.runs.findings(key)
        runners = (key, *self.runs.runners(key)) if findings else ()
        return findings, ChainMap(*(dict(self.known[runner].texts) for runner in runners))

    def generation(self, snapshot: Snapshot) -> tuple[int, int]:
        """Return a value that changes with the settings, and when files may have come or gone."""
        return snapshot.settings_generation, self.listings


def states_as_of(stamps: Mapping[str, tuple[int, int] | None], snapshot: Snapshot) -> Mapping[str, Stamp]:
    """The states of files on the disk, or in a snapshot if that overrides them."""
    buffers = {document.key: document for document in snapshot.documents.values()}
    return {path: buffers.get(path, stamp) for path, stamp in stamps.items()}


def out_of_date(files: WorkspaceFiles, paths: Iterable[Path], snapshot: Snapshot) -> set[str]:
    """The keys of the files whose current result is unknown."""
    generation, keys = snapshot.settings_generation, [str(path) for path in paths]
    buffers = {document.key: document for document in snapshot.documents.values()}
    judged = ((key, files.known.get(key)) for key in keys)
    same = [key for key, known in judged if known is not None and known.settings_generation == generation]
    return {*keys}.difference(same).union(files.runs.outdated(same, lambda path: _state(path, buffers)))


def files_of(projects: Mapping[Path, analysis.Project], snapshot: Snapshot) -> tuple[Path, ...]:
    """The Python files of the workspace, each once: a folder inside another has its own files."""
    return tuple(
        file
        for folder, project in projects.items()
        for file in project.sources.files([folder])
        if snapshot.folder_of(file) == folder
    )


def result_id(items: list[types.Diagnostic]) -> str:
    """Return an id that is the same for equal findings, whichever run reported them."""
    return hashlib.blake2b(repr(items).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _state(path: str, buffers: Mapping[str, Document]) -> Stamp:
    return buffers[path] if path in buffers else analysis.stamp_of(path)
