"""The diagnostics of all files of the workspace, for clients that ask for them.

Files are checked one at a time while the editor wants nothing; a request with nothing to tell waits for a change.
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
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import Converter
from graphwright_server.lsp.uris import key_of, path_of, uri_of
from graphwright_server.lsp.workspace_files import Known, files_of, out_of_date, result_id, stamps_of

_log = logging.getLogger(__name__)

_PAUSE = 0.2
_HOLD = 60.0
# How long a request waits where nobody tells of changes on the disk.
_BLIND_HOLD = 10.0


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
    """What a client is told when the analysis failed: nothing new."""
    return types.WorkspaceDiagnosticReport([])


Report = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


@dataclass(slots=True)
class _Told:
    """What one request has told, in parts where the client takes them."""

    session: Session
    params: types.WorkspaceDiagnosticParams
    previous: Mapping[str, str] = field(init=False)
    uris: Mapping[str, str] = field(init=False)
    waiting: list[Report] = field(default_factory=list[Report])
    anything: bool = False
    at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        given = self.params.previous_result_ids
        self.previous = {key_of(item.uri): item.value for item in given}
        self.uris = {key_of(item.uri): item.uri for item in given}

    def uri_of(self, key: str) -> str:
        """The client's own spelling where it's known."""
        opened = (uri for uri, document in self.session.snapshot.documents.items() if document.key == key)
        return next(opened, None) or self.uris.get(key) or uri_of(key)

    def unchanged(self, key: str, result: str) -> None:
        uri, version = self.uri_of(key), self._version(key)
        self.waiting.append(types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result_id=result, version=version))

    def full(self, key: str, items: list[types.Diagnostic], result: str | None) -> None:
        uri, version = self.uri_of(key), self._version(key)
        self.waiting.append(types.WorkspaceFullDocumentDiagnosticReport(uri, items, version=version, result_id=result))
        self.anything = True

    def flush(self) -> None:
        """Send what waits, if the client takes parts and a moment has passed."""
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
    """Check what isn't known, and tell what the client doesn't know."""
    files, snapshot = session.workspace_files, session.snapshot
    paths = await _paths(session)
    stale = set(await asyncio.to_thread(lambda: list(out_of_date(files, paths, snapshot))))
    told.waiting.clear()
    keys = [str(path) for path in paths]
    todo = [key for key in keys if key in stale or _is_lost(session, told, key)]
    done = 0
    for key in keys:
        if key in stale or _is_lost(session, told, key):
            if bar.given_up:
                break
            await bar.show(done, len(todo), "files")
            done += 1
            known, items = await session.worker.idle(partial(_check, session, key))
            files.known[key] = known
            _tell(told, key, known, items)
        elif key in told.previous:
            told.unchanged(key, files.known[key].result_id)
        told.flush()
    _tell_of_the_gone(session, told, set(keys))


def _is_lost(session: Session, told: _Told, key: str) -> bool:
    """Whether the client hasn't the findings that a file is known to have."""
    known = session.workspace_files.known.get(key)
    if known is None or told.previous.get(key) == known.result_id:
        return False
    return key in told.previous or not known.is_clean


def _tell(told: _Told, key: str, known: Known, items: list[types.Diagnostic]) -> None:
    if told.previous.get(key) == known.result_id:
        told.unchanged(key, known.result_id)
    elif items or key in told.previous:
        told.full(key, items, known.result_id)


def _tell_of_the_gone(session: Session, told: _Told, keys: set[str]) -> None:
    """Take back what was told of files that are deleted or excluded now."""
    for key in told.previous:
        if key not in keys and path_of(told.uris[key]) is not None and told.uris[key] not in session.snapshot.documents:
            session.workspace_files.known.pop(key, None)
            told.full(key, [], None)


async def _paths(session: Session) -> tuple[Path, ...]:
    files, snapshot = session.workspace_files, session.snapshot
    generation = files.generation(snapshot)
    if files.listed is None or files.listed[0] != generation or not session.client.registers_watched_files:
        projects = await session.worker.idle(partial(session.projects_of, snapshot))
        files.listed = generation, await asyncio.to_thread(files_of, projects, snapshot)
    return files.listed[1]


def _check(session: Session, key: str) -> tuple[Known, list[types.Diagnostic]]:
    """Check one file as it is now; for the worker."""
    snapshot, files = session.snapshot, session.workspace_files
    generation = files.generation(snapshot)
    opened = next((document for document in snapshot.documents.values() if document.key == key), None)
    document = opened or Document(uri_of(key), key, 0, True, analysis.LineIndex(""))
    items: list[types.Diagnostic] = []
    stamps = stamps_of([key], snapshot)

    def question(project: analysis.Project, document: Document, converter: Converter) -> None:
        nonlocal stamps, items
        needed = dict.fromkeys([key, *(file for _, files in project.needs(key) for file in files)])
        stamps = stamps_of(needed, snapshot)
        files.note_checked(project, key)
        found = project.check(key)
        if found:
            lines = project.module(key).lines
            whole = Document(document.uri, key, document.version, True, lines)
            items = Converter(whole, session.client, converter.other_file).diagnostics(found)

    try:
        session.look(snapshot, document, question)
    except analysis.Unreadable as error:
        _log.info("%s", error)
    except Exception:
        _log.exception("%s could not be checked; this is a bug in Graphwright", key)
    return Known(result_id(items), not items, stamps, generation), items
