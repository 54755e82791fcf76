"""Finds and reads the accounts of traces that the user's programs have left in their projects' folders.

What an account says is the analysis' business; nothing is kept of a folder that has changed.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import dataclass, field
from pathlib import Path

import graphwright_analysis as analysis

_log = logging.getLogger(__name__)

_LARGEST = 20_000_000
_MOST_FILES = 20
"""As many as a run leaves there."""


@dataclass(slots=True)
class _Folder:
    stamp: tuple[int, int] | None = None
    runs: tuple[analysis.LiveRun, ...] = ()
    # Each account with the time and size that its file had when it was read.
    read: dict[str, tuple[tuple[int, int], analysis.LiveRun | None]] = field(
        default_factory=dict["str", "tuple[tuple[int, int], analysis.LiveRun | None]"]
    )


class LiveTraces:
    """The accounts that there are for a file; for the worker thread."""

    def __init__(self) -> None:
        self._folders: dict[str, _Folder] = {}
        # Where was looked, with its state then; None where there was nothing.
        self._looked: dict[str, tuple[int, int] | None] = {}

    def of(self, file: str, root: Path | None) -> tuple[analysis.LiveRun, ...]:
        """The accounts in the nearest folder around a file that has some, from new to old; none is outside the root."""
        if not os.path.isabs(file):
            return ()
        around = Path(file).parents
        inside = [each for each in around if root is not None and each.is_relative_to(root)]
        for parent in inside or around[:1]:
            folder = os.path.join(parent, ".graphwright", "traces")
            stamp = analysis.stamp_of(folder)
            self._looked.setdefault(folder, stamp)
            if stamp is None:
                continue
            held = self._folders.setdefault(folder, _Folder())
            if held.stamp != stamp:
                _read(folder, held)
                held.stamp = stamp
            return held.runs
        return ()

    def have_changed(self) -> bool:
        """Whether accounts came or went where was looked, since the last look."""
        before, self._looked = self._looked, {folder: analysis.stamp_of(folder) for folder in self._looked}
        return self._looked != before


def _read(folder: str, held: _Folder) -> None:
    found: dict[str, tuple[tuple[int, int], analysis.LiveRun | None]] = {}
    try:
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith(".json") and entry.name[0] != "."]
    except OSError:
        entries = []
    stamped = [(stamp, entry.path) for entry in entries if (stamp := analysis.stamp_of(entry.path)) is not None]
    for stamp, path in sorted(stamped, reverse=True)[:_MOST_FILES]:
        known = held.read.get(path)
        found[path] = known if known is not None and known[0] == stamp else (stamp, _run(path))
    held.read = found
    newest_first = sorted(found.values(), key=lambda item: item[0], reverse=True)
    held.runs = tuple(run for _, run in newest_first if run is not None)


def _run(path: str) -> analysis.LiveRun | None:
    try:
        return analysis.live_run(json.loads(analysis.read_bytes(path, _LARGEST)))
    except (analysis.Unreadable, ValueError, RecursionError) as error:
        _log.debug("%s can't be read: %s", path, error)
        return None
