"""What is known about each file of the workspace, so that unchanged files aren't checked again.

How the client is notified is in `handlers/workspace_diagnostics.py`.
"""

from __future__ import annotations

import hashlib
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
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
    """What the run of a file reports, and the files that determined it, with their state at that time."""

    reports: analysis.RunReports
    texts: Mapping[str, str]
    """The texts of the files that its reports refer to."""
    stamps: tuple[tuple[str, Stamp], ...]
    generation: tuple[int, int]
    result_id: str = ""
    is_clean: bool = True
    """True if the client was last sent no findings for the file, by its own run or those of others."""


@dataclass(slots=True)
class WorkspaceFiles:
    """What is known about the workspace's files; `listings` counts how often files may have come or gone."""

    known: dict[str, FileRecord] = field(default_factory=dict[str, FileRecord])
    listings: int = 0
    listed: tuple[tuple[int, int], tuple[Path, ...]] | None = None
    buffers: tuple[Snapshot, Buffers] | None = None
    baselines: Mapping[str, str] = field(default_factory=dict[str, str])
    """The baselines of the files that have one."""
    _tellers: dict[str, dict[str, None]] = field(default_factory=dict[str, "dict[str, None]"])
    """For each file, the files whose runs report about it."""

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

    def put(self, key: str, known: FileRecord | None) -> None:
        """Store the result for a file, or that it is gone."""
        before = self.known.pop(key, None)
        for path in () if before is None else (*before.reports.others, *before.reports.called):
            self._tellers.get(path, {}).pop(key, None)
        if known is not None:
            self.known[key] = known
            for path in (*known.reports.others, *known.reports.called):
                self._tellers.setdefault(path, {})[key] = None

    def found_in(self, key: str) -> tuple[tuple[analysis.Diagnostic, ...], Mapping[str, str]]:
        """The findings in a file by its own run and by those of others, and the texts that they refer to."""
        own = self.known[key]
        others = [self.known[teller] for teller in sorted(self._tellers.get(key, ()))]
        reports = [each.reports.others[key] for each in others if key in each.reports.others]
        called = frozenset[str]().union(*(each.reports.called.get(key, ()) for each in others))
        findings = analysis.merged(own.reports.own, reports, called)
        return findings, ChainMap(*(dict(each.texts) for each in (own, *others))) if findings else {}

    def generation(self, snapshot: Snapshot) -> tuple[int, int]:
        """Return a value that changes with everything that may change the findings of all files."""
        return snapshot.settings_generation, self.listings


def stamps_as_of(
    stamps: Iterable[tuple[str, tuple[int, int] | None]], snapshot: Snapshot
) -> tuple[tuple[str, Stamp], ...]:
    """The states of files on the disk, or in a snapshot if that overrides them."""
    buffers = {document.key: document for document in snapshot.documents.values()}
    return tuple((path, buffers.get(path, stamp)) for path, stamp in stamps)


def out_of_date(files: WorkspaceFiles, paths: Iterable[Path], snapshot: Snapshot) -> Iterator[str]:
    """The keys of the files whose current result is unknown."""
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


def _stamp(path: str, buffers: Mapping[str, Document]) -> Stamp:
    return buffers[path] if path in buffers else analysis.stamp_of(path)
