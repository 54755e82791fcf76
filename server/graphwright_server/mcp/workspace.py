"""The folder that the server answers about: which of its files have changed, and what the analysis reports on them.

No file outside the folder is named or shown; the analysis itself follows imports where they lead. One thread at a time
may use it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path

import graphwright_analysis as analysis
from graphwright_analysis import immutable

from graphwright_server.environments import packages_of

_Stamp = tuple[int, int] | None

MOST_WARM = 200
"""How many files of one call stay traced; when more are checked, each is traced again after its first edit."""

PATIENCE = 0.02
"""Seconds after which an answer about changed files no longer waits for files that depend on them."""

_CONFIGURATION = (".toml", ".cfg", ".txt", ".json", "setup.py", "PKG-INFO", "METADATA")
"""How the names of files end that settings or requirements may be in."""


class RefusedRequest(Exception):
    """The request can't be answered; the message says what to do instead."""


@immutable
class FileFinding:
    """A finding and the file that it is in; `runner` is the file whose run reports it."""

    path: str
    runner: str
    diagnostic: analysis.Diagnostic

    @property
    def words(self) -> tuple[str, str, str]:
        """What stays the same when lines above the finding move it."""
        return self.path, self.diagnostic.rule, self.diagnostic.message


@immutable
class ChangedFiles:
    """The files that were checked again and those that are gone, with the findings before and after.

    `pending` are files that depend on changed ones and are checked by the next call.
    """

    checked: tuple[str, ...]
    removed: tuple[str, ...]
    before: tuple[FileFinding, ...]
    after: tuple[FileFinding, ...]
    pending: tuple[str, ...]


@dataclass
class Workspace:
    """A folder, its project, and the results of the last check of each file."""

    root: Path
    project: analysis.Project = field(init=False)
    unreadable: dict[str, str] = field(default_factory=dict[str, str])
    _runs: analysis.KnownRuns = field(default_factory=lambda: analysis.KnownRuns())
    _texts: dict[str, str] = field(default_factory=dict[str, str])
    """The text of each file whose run is known, as it ran."""
    _stamps: dict[str, _Stamp] = field(default_factory=dict[str, _Stamp])
    _listed: Set[str] = frozenset()
    """The files that were there when somebody last looked."""
    _settings_stamps: dict[str, _Stamp] = field(default_factory=dict[str, _Stamp])

    def __post_init__(self) -> None:
        self.root = Path(os.path.realpath(self.root))
        self.project = analysis.Project(self.root, analysis.Settings(), packages=packages_of(self.root))
        self.refresh_settings()
        self._stamps = {path: analysis.stamp_of(path) for path in self.files([self.root])}
        self._listed = frozenset(self._stamps)

    def refresh_settings(self) -> None:
        """Read the settings again if a file that they come from has changed; raises `SettingsError`."""
        stamps = {path: analysis.stamp_of(path) for path in self._settings_files()}
        if stamps != self._settings_stamps:
            self.project.sources.settings = analysis.load_settings(self.root)
            self.project.look_again()
            self._runs.doubt(path for path, _ in self._runs.items())
            self._settings_stamps = stamps

    def _settings_files(self) -> Iterator[str]:
        """The files with settings or requirements in the workspace, also in excluded folders, and those above it."""
        yield from (str(folder / "pyproject.toml") for folder in self.root.parents)
        for path in analysis.Folder(None, analysis.Settings()).files([self.root], _CONFIGURATION):
            if analysis.says_which_keras(path):
                yield str(path)

    def inside(self, name: str) -> str:
        """The absolute path of a file or folder in the workspace; raises `RefusedRequest`."""
        if "\0" in name:
            raise RefusedRequest("a path can't contain a null byte")
        path = os.path.normpath(self.root / name)
        if not Path(os.path.realpath(path)).is_relative_to(self.root):
            raise RefusedRequest(
                f"{name} is outside {self.root}. To work there, start `graphwright mcp` with that folder."
            )
        if not os.path.exists(path):
            raise RefusedRequest(f"{name}: no such file or folder. Paths are relative to {self.root}.")
        return path

    def file(self, name: str) -> str:
        """The absolute path of a Python file in the workspace; raises `RefusedRequest`."""
        path = self.inside(name)
        if os.path.isdir(path) or not path.endswith(analysis.SOURCES):
            raise RefusedRequest(f"{name} isn't a Python file.")
        return path

    def checkable(self, name: str) -> str:
        """The absolute path of a Python file or a folder in the workspace; raises `RefusedRequest`."""
        path = self.inside(name)
        if path.endswith(analysis.NOTEBOOK) and not os.path.isdir(path):
            raise RefusedRequest(f"{name} is a notebook. To check it, run `graphwright check {name}`.")
        return path

    def shown(self, path: str) -> str:
        """A path as the client sees it: relative to the root, with slashes."""
        return Path(path).relative_to(self.root).as_posix()

    def files(self, paths: Sequence[Path]) -> Iterator[str]:
        """The Python files under the paths, without links that lead out of the workspace."""
        for path in self.project.sources.files(paths):
            if not path.is_symlink() or Path(os.path.realpath(path)).is_relative_to(self.root):
                yield str(path)

    def check(self, paths: Sequence[str], progress: Callable[[int, int], None]) -> tuple[str, ...]:
        """Check the files under the paths unless that was done since they changed; return the files."""
        files = tuple(dict.fromkeys(self.files([Path(path) for path in paths])))
        self._notice_files(frozenset(self.files([self.root])))
        outdated = self._outdated(files)
        for number, path in enumerate(outdated):
            progress(number, len(outdated))
            self._run(path)
            if len(outdated) > MOST_WARM:
                self.project.set_aside(path)
        self._notice_importers()
        return files

    def check_changed(self, progress: Callable[[int, int], None], wait: bool = False) -> ChangedFiles:
        """Check the files that have changed since they were last seen, and known ones that depend on such files.

        Where something has changed, dependents that would take longer than `PATIENCE` are left to the next call.
        """
        began = time.monotonic()
        stamps = {path: analysis.stamp_of(path) for path in self.files([self.root])}
        removed = tuple(path for path in self._stamps if path not in stamps)
        changed = [path for path, stamp in stamps.items() if self._stamps.get(path) != stamp]
        self._notice_files(frozenset(stamps))
        known = self._outdated([path for path, _ in self._runs.items() if path in stamps])
        # What another file's run reports in a changed one has moved with its text.
        reporting = set[str]().union(*map(self._runs.reports_about, changed))
        required = list(dict.fromkeys([*changed, *(path for path in known if path in reporting)]))
        outdated = list(dict.fromkeys([*required, *known]))
        told = self._runs.hinge_on_importers.union(*map(self._others, (*outdated, *removed)))
        before = tuple(self.findings(told | {*outdated, *removed}))
        for path in removed:
            self._forget(path)
        done = 0
        for path in outdated:
            if done >= len(required) > 0 and not wait and time.monotonic() - began > PATIENCE:
                break
            progress(done, len(outdated))
            self._run(path)
            done += 1
        checked, pending = outdated[:done], outdated[done:]
        self._notice_importers()
        after = tuple(self.findings(told.union(checked, *map(self._others, checked))))
        return ChangedFiles(tuple(checked), removed, before, after, tuple(pending))

    def findings(self, paths: Iterable[str]) -> Iterator[FileFinding]:
        """The findings in the given files that have been checked, those that other runs report included."""
        for path in sorted(paths):
            run = self._runs.get(path)
            if run is None:
                continue
            reports = self._runs.reports_about(path)
            for diagnostic in self._new(path, self._runs.findings(path)):
                runners = (runner for runner, report in reports.items() if diagnostic in report.diagnostics)
                own = diagnostic in run.reports.own.possible
                yield FileFinding(path, path if own else next(runners, path), diagnostic)

    def _new(self, path: str, found: Sequence[analysis.Diagnostic]) -> Sequence[analysis.Diagnostic]:
        """The findings that aren't in the baseline of the file's settings; raises `SettingsError`."""
        named = self.project.sources.settings_of(path).baseline
        baseline = None if named is None else analysis.latest_baseline(Path(named))
        return found if baseline is None else baseline.new(path, self._texts[path], found)

    def fixes_of(self, finding: FileFinding) -> tuple[analysis.Fix, ...]:
        """The fixes of a finding that leave nothing new to report."""
        (proved,) = analysis.proved(self.project, finding.path, [finding.diagnostic], finding.runner)
        return proved.fixes

    def _others(self, path: str) -> Set[str]:
        """The files that the last run of a file says something about."""
        run = self._runs.get(path)
        return frozenset[str]() if run is None else run.others

    def _outdated(self, paths: Sequence[str]) -> list[str]:
        return [*self._runs.outdated(paths, analysis.stamp_of)]

    def _notice_files(self, files: Set[str]) -> None:
        """Find out who sees something else because files have come: what needed a file that is gone is outdated."""
        came, self._listed = files - self._listed, files
        if came:
            self._runs.doubt(self.project.importers_of(came))

    def _notice_importers(self) -> None:
        self._runs.imported = self.project.imported_among(self._runs.hinge_on_importers)

    def _run(self, path: str) -> None:
        self._forget(path)
        # Before it is read: a file that changes meanwhile is checked again.
        stamp = analysis.stamp_of(path)
        try:
            run_reports = self.project.run_reports(path)
            needed = {**self.project.needed_files(path), path: stamp}
            self._texts[path] = self.project.text(path)
            self._runs.put(path, analysis.KnownRun(run_reports, needed))
        except analysis.Unreadable as error:
            self.unreadable[path] = error.reason
        self._stamps[path] = stamp

    def _forget(self, path: str) -> None:
        self._runs.forget(path)
        self._stamps.pop(path, None)
        self._texts.pop(path, None)
        self.unreadable.pop(path, None)
