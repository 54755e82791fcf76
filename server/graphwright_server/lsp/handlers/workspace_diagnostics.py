"""The diagnostics of all files of the workspace, for clients that request them.

Files are checked one at a time, in a separate process; a request without news waits for a change.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import graphwright_analysis as analysis
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.progress import Bar
from graphwright_server.lsp.projects import without_known
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import LspConverter, OtherFile
from graphwright_server.lsp.uris import key_of, path_of, uri_of
from graphwright_server.lsp.workspace_files import FileRecord, files_of, out_of_date, result_id, states_as_of

_log = logging.getLogger(__name__)

_PAUSE = 0.2
_HOLD = 60.0
# How long a request waits where nobody tells of changes on the disk.
_BLIND_HOLD = 10.0
# After how long without a file to check the process that does that ends.
_REST = 20.0


async def answer(session: Session, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    await session.configured()
    if session.checks_open_files_only:
        return types.WorkspaceDiagnosticReport([])
    told = _Told(session, params)
    bar = Bar(session.server, session.client, "Graphwright", params.work_done_token)
    before = session.changes.count
    try:
        await _tell_all(session, told, bar)
        if not told.anything and session.told_workspace and not bar.given_up:
            patience = _HOLD if session.client.registers_watched_files else _BLIND_HOLD
            await session.changes.after(before, patience)
            await _tell_all(session, told, bar)
    finally:
        bar.end()
    session.told_workspace = True
    return types.WorkspaceDiagnosticReport(told.waiting)


def after_crash(session: Session, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """The answer if the analysis failed: nothing new."""
    return types.WorkspaceDiagnosticReport([])


Report = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


@dataclass(slots=True)
class _Told:
    """What one request has reported, in parts if the client supports that."""

    session: Session
    params: types.WorkspaceDiagnosticParams
    previous: Mapping[str, str] = field(init=False)
    """The findings that the client had before, by their result ids."""
    current: dict[str, str] = field(init=False)
    """Those that it has by now."""
    uris: Mapping[str, str] = field(init=False)
    waiting: list[Report] = field(default_factory=list[Report])
    anything: bool = False
    at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        given = self.params.previous_result_ids
        self.previous = {key_of(item.uri): item.value for item in given}
        self.current = {**self.previous}
        self.uris = {key_of(item.uri): item.uri for item in given}

    def uri_of(self, key: str) -> str:
        """The client's own spelling of a URI, if known."""
        opened = (uri for uri, document in self.session.snapshot.documents.items() if document.key == key)
        return next(opened, None) or self.uris.get(key) or uri_of(key)

    def unchanged(self, key: str, result: str) -> None:
        uri, version = self.uri_of(key), self._version(key)
        self.waiting.append(types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result_id=result, version=version))

    def full(self, key: str, items: list[types.Diagnostic], result: str | None) -> None:
        uri, version = self.uri_of(key), self._version(key)
        self.waiting.append(types.WorkspaceFullDocumentDiagnosticReport(uri, items, version=version, result_id=result))
        self.anything = True
        if result is not None:
            self.current[key] = result

    def flush(self) -> None:
        """Send pending reports, if the client accepts parts and some time has passed."""
        token, now = self.params.partial_result_token, time.monotonic()
        if token is None or not self.waiting or now - self.at < _PAUSE:
            return
        part = types.WorkspaceDiagnosticReportPartialResult(self.waiting)
        self.session.server.progress(types.ProgressParams(token, part))
        self.waiting, self.at = [], now

    def _version(self, key: str) -> int | None:
        documents = self.session.snapshot.documents.values()
        return next((document.version for document in documents if document.key == key), None)


async def _tell_all(session: Session, told: _Told, bar: Bar) -> None:
    """Check files with unknown results, and report what the client doesn't have."""
    files, snapshot = session.workspace_files, session.snapshot
    before = files.listed
    paths, settings = await _paths(session), await session.worker.idle(partial(session.settings_of, snapshot))
    if before is not None and (came := {*paths}.difference(before[1])):
        importers = await session.ask_projects(lambda project: project.importers_of(map(str, came)))
        files.runs.doubt(set[str]().union(*importers))
    generation, listed = files.generation(snapshot), files.listed
    await _look_at_importers(session)
    stale = await asyncio.to_thread(out_of_date, files, paths, snapshot)
    told.waiting.clear()
    keys = [str(path) for path in paths]
    files.baselines = await session.worker.idle(partial(session.baselines_of, snapshot, keys))
    for key in files.known.keys() - keys:
        files.forget(key)
    todo = [key for key in keys if key in stale or _is_lost(session, told, key)]
    just_told = set[str]()
    for done, key in enumerate(todo):
        if bar.given_up:
            break
        await bar.show(done, len(todo), "files")
        record, run = await session.apart.answer(partial(_check, session, settings, generation, key))
        files.put(key, record, run)
        if files.listed is not listed:
            # Files may have come that it would import.
            files.runs.doubt([key])
        if run.reports.own.unless_imported:
            await _look_at_importers(session)
        _tell(session, told, key)
        just_told.add(key)
        session.soon("rest", _REST, lambda session: session.checking.rest())
        told.flush()
    for key in keys:
        # What is found in a file, others may have a say in.
        if key in files.known and (key not in just_told or _has_changed(session, key)):
            _tell(session, told, key)
    _tell_of_the_gone(session, told, set(keys))


async def _look_at_importers(session: Session) -> None:
    """Find out which files others import, as far as findings hinge on that."""
    runs = session.workspace_files.runs
    if hinging := runs.hinge_on_importers:
        runs.imported = set[str]().union(*await session.ask_projects(lambda project: project.imported_among(hinging)))


def _is_lost(session: Session, told: _Told, key: str) -> bool:
    """True if the client doesn't have the current findings of a file."""
    known = session.workspace_files.known.get(key)
    if known is None or told.previous.get(key) == known.result_id:
        return False
    return key in told.previous or not known.is_clean


def _tell(session: Session, told: _Told, key: str) -> None:
    known = session.workspace_files.known[key]
    items = _items(session, key)
    known.result_id, known.is_clean = result_id(items), not items
    if told.current.get(key) == known.result_id:
        told.unchanged(key, known.result_id)
    elif items or key in told.current:
        told.full(key, items, known.result_id)


def _has_changed(session: Session, key: str) -> bool:
    return result_id(_items(session, key)) != session.workspace_files.known[key].result_id


def _tell_of_the_gone(session: Session, told: _Told, keys: set[str]) -> None:
    """Remove the findings of files that are now deleted or excluded."""
    for key in told.previous:
        if key not in keys and path_of(told.uris[key]) is not None and told.uris[key] not in session.snapshot.documents:
            told.full(key, [], None)


async def _paths(session: Session) -> tuple[Path, ...]:
    files, snapshot = session.workspace_files, session.snapshot
    generation = files.generation(snapshot)
    if files.listed is None or files.listed[0] != generation or not session.client.registers_watched_files:
        projects = await session.worker.idle(partial(session.projects_of, snapshot))
        files.listed = generation, await asyncio.to_thread(files_of, projects, snapshot)
    return files.listed[1]


def _check(
    session: Session,
    settings: Mapping[Path, tuple[analysis.Settings, analysis.Overrides]],
    generation: tuple[int, int],
    key: str,
) -> tuple[FileRecord, analysis.KnownRun]:
    """Check one file as it is now, in a separate process; for the thread that waits for it.

    The settings are those of a generation, which may be outdated.
    """
    files, snapshot = session.workspace_files, session.snapshot
    folder = snapshot.folder_of(Path(key))
    chosen = settings.get(folder) if folder is not None else None
    packages = session.packages_of(folder)
    buffers = files.buffers_of(snapshot)
    own, overrides = chosen or (analysis.Settings(), None)
    reply = session.checking.check(folder, own, key, buffers, packages, generation, overrides)
    if reply.unread:
        _log.info("%s", reply.unread)
    for failure in reply.failures:
        _log.error("%s: %s", key, failure)
    run = analysis.KnownRun(reply.reports, states_as_of(reply.stamps, snapshot))
    return FileRecord(reply.texts, generation[0]), run


def _items(session: Session, key: str) -> list[types.Diagnostic]:
    """The findings in a file, as the client shows them."""
    findings, texts = session.workspace_files.found_in(key)
    if findings:
        findings = without_known(session.workspace_files.baselines.get(key), key, texts[key], findings)
    if not findings:
        return []
    opened = {document.key: document for document in session.snapshot.documents.values()}
    lines = {path: analysis.LineIndex(text) for path, text in texts.items()}

    def other_file(path: str) -> OtherFile | None:
        if path in opened:
            return OtherFile(opened[path].lines, opened[path].uri, opened[path].version)
        return OtherFile(lines[path], uri_of(path)) if path in lines else None

    document = opened.get(key) or Document(uri_of(key), key, 0, True, lines[key])
    return LspConverter(document, session.client, other_file).diagnostics(findings)
