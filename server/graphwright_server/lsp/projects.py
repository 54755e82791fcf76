"""The analysis' projects, one per folder, brought up to a snapshot before each question.

Used by the worker thread alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import graphwright_analysis as analysis

from .documents import Document
from .notebooks import Program
from .snapshots import Snapshot
from .to_lsp import OtherFile
from .uris import uri_of

_log = logging.getLogger(__name__)


@dataclass
class _Held:
    project: analysis.Project
    # The texts and notebooks that the project was given, by key.
    given: dict[str, str | Program] = field(default_factory=dict[str, "str | Program"])
    # The snapshot's, when the project's settings were read.
    generation: int = -1


class Projects:
    """Makes projects as they are needed.

    `packages_of` tells in which folders the packages are that a folder's code is for; `complain` is told of an editor's
    settings that can't be used, `judged` of each folder's own: the error, if any.
    """

    def __init__(
        self,
        packages_of: Callable[[Path | None], Sequence[Path]],
        complain: Callable[[str], None],
        judged: Callable[[Path | None, analysis.SettingsError | None], None],
    ) -> None:
        self._packages_of = packages_of
        self._complain = complain
        self._judged = judged
        # The last settings of each folder that could be used, which hold while a file is only half typed.
        self._usable: dict[Path | None, analysis.Settings] = {}
        self._held: dict[Path | None, _Held] = {}

    def at(self, snapshot: Snapshot, document: Document) -> analysis.Project:
        """The document's project with all open documents as the snapshot has them."""
        return self.of(snapshot, snapshot.root_of(document))

    def of(self, snapshot: Snapshot, root: Path | None) -> analysis.Project:
        """A folder's project with all open documents as the snapshot has them."""
        if root not in self._held:
            # Folders that have left the workspace are forgotten when another is met.
            self._held = {known: held for known, held in self._held.items() if known in (None, *snapshot.folders)}
            self._held[root] = _Held(analysis.Project(root, analysis.Settings(), packages=self._packages_of(root)))
        held = self._held[root]
        if held.generation < snapshot.settings_generation:
            held.generation = snapshot.settings_generation
            held.project.sources.overrides = overrides = self._overrides(root, snapshot)
            held.project.sources.settings = overrides.over(self._settings(root, snapshot))
            held.project.sources.on_bad_settings = partial(self._judged, root)
            held.project.look_again()
        _bring_up_to(held, snapshot)
        return held.project

    def _settings(self, root: Path | None, snapshot: Snapshot) -> analysis.Settings:
        buffers = {document.key: document.text for document in snapshot.documents.values()}
        try:
            self._usable[root] = analysis.load_settings(root, buffers)
            self._judged(root, None)
        except analysis.SettingsError as error:
            self._judged(root, error)
        return self._usable.get(root, analysis.Settings())

    def _overrides(self, root: Path | None, snapshot: Snapshot) -> analysis.Overrides:
        """What the editor says, for everything and then for the folder."""
        configured, replaced, severity = snapshot.configuration, dict[str, Any](), dict[str, str]()
        for table in (configured.get(None), configured.get(root) if root else None):
            stated, names = self._stated(table or {})
            changes = {name: getattr(stated.beside(root), name) for name in names}
            severity |= changes.pop("severity", {})
            replaced |= changes
        return analysis.Overrides(replaced, severity=severity)

    def _stated(self, table: Mapping[str, Any]) -> tuple[analysis.Settings, list[str]]:
        """The settings in a table, and which of them it has."""
        known = set(analysis.Settings.__dataclass_fields__)
        given = {name: value for name, value in table.items() if value is not None}
        # The section also holds the extension's own settings, which aren't the analysis'.
        given = {name: value for name, value in given.items() if name.replace("-", "_") in known}
        try:
            stated = analysis.Settings.from_mapping(given, "the editor's settings")
        except analysis.SettingsError as error:
            self._complain(f"The editor's settings can't be used: {error}")
            return analysis.Settings(), []
        return stated, [name.replace("-", "_") for name in given]


def new_findings(project: analysis.Project, key: str) -> Sequence[analysis.Diagnostic]:
    """The findings in a file that its baseline doesn't have."""
    found = project.check(key)
    return without_known(project.sources.settings_of(key).baseline, key, project.text(key), found) if found else found


def without_known(
    path: str | None, key: str, text: str, found: Sequence[analysis.Diagnostic]
) -> Sequence[analysis.Diagnostic]:
    """The findings in a text without those in the baseline at a path, which isn't used as long as it can't be read."""
    try:
        baseline = None if path is None else analysis.latest_baseline(Path(path))
    except analysis.SettingsError as error:
        _log.warning("%s", error)
        return found
    return found if baseline is None else baseline.new(key, text, found)


def other_file(project: analysis.Project, snapshot: Snapshot, key: str) -> OtherFile | None:
    """A file that a finding points into or an action changes, as the editor has it or as it is on the disk."""
    for document in snapshot.documents.values():
        if document.key == key:
            return OtherFile(document.lines, document.uri, document.version)
    try:
        return OtherFile(analysis.LineIndex(project.text(key)), uri_of(key))
    except analysis.Unreadable:
        return None


def _bring_up_to(held: _Held, snapshot: Snapshot) -> None:
    current: dict[str, str | Program] = {document.key: document.text for document in snapshot.documents.values()}
    current |= {notebook.program.key: notebook.program for notebook in snapshot.notebooks.values()}
    for key in [key for key in held.given if key not in current]:
        held.project.forget(key)
        del held.given[key]
    for key, given in current.items():
        if held.given.get(key) is given:
            continue
        if isinstance(given, Program):
            held.project.set_cells(key, given.code)
        else:
            held.project.set_text(key, given)
        held.given[key] = given
