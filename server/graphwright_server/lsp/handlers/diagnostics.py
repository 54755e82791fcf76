"""Diagnostics, pushed to clients that wait for them and handed to those that ask.

Never both: a client that asks isn't sent any.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterable
from functools import partial

import graphwright_analysis as analysis
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.notebooks import Notebook
from graphwright_server.lsp.projects import new_findings
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import SOURCE, LspConverter
from graphwright_server.lsp.uris import is_settings_file, key_of

from . import refreshing

_log = logging.getLogger(__name__)

IDENTIFIER = "graphwright"
OPTIONS = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier=IDENTIFIER)


def schedule(session: Session, uri: str) -> None:
    """Push the diagnostics of a document or notebook as soon as the worker is free; the latest text wins."""
    if session.client.pulls_diagnostics:
        return
    if session.is_configured:
        session.worker.later(uri, partial(_push, session, uri))
    else:
        session.start(_push_when_configured(session, uri))


def schedule_importers(session: Session, uri: str, *, came_or_went: bool = False) -> None:
    """Push the diagnostics of the open documents that import a document which has changed.

    Where it came or went, also of those that import something that isn't there: it may be this.
    """
    if not session.client.pulls_diagnostics and session.snapshot.programs().keys() - {uri}:
        key = f"{uri}#{'seekers' if came_or_went else 'importers'}"
        session.worker.later(key, partial(_find_affected, session, uri, came_or_went))


def ask_for_other_cells(session: Session, uri: str, edited: frozenset[str]) -> None:
    """Have a client that pulls ask again if an edit of some cells has changed what is found in others."""
    if session.client.pulls_diagnostics and session.client.refreshes_diagnostics:
        session.worker.later(f"{uri}#cells", partial(_compare_cells, session, uri, edited))


def recheck_all(session: Session) -> None:
    """Look at every open document again, because something that they share has changed."""
    look_again(session, (*session.snapshot.documents, *session.snapshot.notebooks))


def look_again(session: Session, uris: Iterable[str]) -> None:
    """Look at some open documents again, and at what is shown beside their code."""
    refreshing.ask(session)
    if not session.client.pulls_diagnostics:
        for uri in uris:
            if not is_settings_file(uri):
                schedule(session, uri)
    elif session.client.refreshes_diagnostics:
        session.start(_ask_to_refresh(session))


def withdraw(session: Session, uri: str) -> None:
    """Take back what was pushed for a document or cell that was closed."""
    if not session.client.pulls_diagnostics:
        session.published.pop(uri, None)
        session.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


async def pull(session: Session, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """A document's diagnostics, or that they are as they were."""
    await session.configured()
    uri = params.text_document.uri
    items = await session.ask(uri, _check) or []
    number, known = session.reports.get(uri, ("0", None))
    if items != known:
        number = str(int(number) + 1)
        session.reports[uri] = (number, items)
    if params.previous_result_id == number:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=number)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=number)


def after_crash(session: Session, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """What a client is told that asked for diagnostics when the analysis failed: that nothing changed."""
    if params.previous_result_id is not None:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=params.previous_result_id)
    return types.RelatedFullDocumentDiagnosticReport(items=[])


async def _push_when_configured(session: Session, uri: str) -> None:
    await session.configured()
    session.worker.later(uri, partial(_push, session, uri))


def _find_affected(session: Session, uri: str, came_or_went: bool) -> None:
    """Schedule the open documents that use this one, or may, and those about which it or these report something.

    For the worker.
    """
    snapshot, key = session.snapshot, key_of(uri)
    programs = {**snapshot.programs()}
    changed = programs.pop(uri, None)

    def uses_it(project: analysis.Project, document: Document, converter: LspConverter) -> bool:
        with contextlib.suppress(analysis.Unreadable):
            imported = [file for _, (file, _) in project.sources.destinations(document.key)]
            asks_it = key in project.traced.files_looked_up(document.key)
            return asks_it or key in imported or (came_or_went and None in imported)
        return False

    users = {other_uri for other_uri, other in programs.items() if session.look(snapshot, other, uses_it)}
    running = [*([changed] if changed is not None else []), *map(programs.__getitem__, users)]
    asked = frozenset[str]().union(*(session.look(snapshot, each, _files_asked) for each in running))
    for other_uri, other in programs.items():
        if other_uri in users or other.key in asked:
            session.worker.in_loop(schedule, session, other_uri)


def _files_asked(project: analysis.Project, document: Document, converter: LspConverter) -> frozenset[str]:
    try:
        return frozenset(project.traced.files_looked_up(document.key))
    except analysis.Unreadable:
        return frozenset()


def _compare_cells(session: Session, uri: str, edited: frozenset[str]) -> None:
    """Ask for a refresh if a cell that nobody edited has other findings than it was told to have; for the worker."""
    snapshot = session.snapshot
    notebook = snapshot.notebooks.get(uri)
    for cell in notebook.program.views() if notebook is not None else ():
        _, told = session.reports.get(cell.uri, ("", None))
        if cell.uri not in edited and told is not None and session.look(snapshot, cell, _check) != told:
            session.worker.in_loop(lambda: session.start(_ask_to_refresh(session)))
            return


def _push(session: Session, uri: str) -> None:
    """Check a document or notebook and have the result sent, unless it changed meanwhile; for the worker."""
    snapshot = session.snapshot
    source = snapshot.documents.get(uri) or snapshot.notebooks.get(uri)
    if source is None:
        return
    parts = source.program.views() if isinstance(source, Notebook) else (source,)

    def check(project: analysis.Project, document: Document, converter: LspConverter) -> list[types.Diagnostic]:
        with project.sources.cancelled_when(lambda: not _is_newest(session, source)):
            return _check(project, document, converter)

    try:
        found = [(part, session.look(snapshot, part, check) if part.is_python else []) for part in parts]
    except analysis.Cancelled:
        # The newer text is scheduled; what was found out so far is kept for it.
        return
    except Exception:
        _log.exception("%s could not be checked; this is a bug in Graphwright", uri)
        return
    session.worker.in_loop(_publish, session, source, found)


def _publish(
    session: Session, source: Document | Notebook, found: list[tuple[Document, list[types.Diagnostic]]]
) -> None:
    if not _is_newest(session, source):
        return
    for part, items in found:
        # A cell that neither changed nor got other findings was told of already.
        if part.is_cell and session.published.get(part.uri) == (part.version, items):
            continue
        if part.is_cell:
            session.published[part.uri] = (part.version, items)
        session.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(part.uri, items, part.version))


def _is_newest(session: Session, source: Document | Notebook) -> bool:
    """Whether nothing has changed in a document or notebook since; for any thread."""
    now = session.snapshot
    return source is (now.documents.get(source.uri) or now.notebooks.get(source.uri))


def _check(project: analysis.Project, document: Document, converter: LspConverter) -> list[types.Diagnostic]:
    try:
        return converter.diagnostics(new_findings(project, document.key))
    except analysis.Unreadable as error:
        # Once for a notebook, whose cells are one program.
        if not document.shows(analysis.Range(0, 0)):
            return []
        place = types.Range(types.Position(0, 0), types.Position(0, 0))
        message = f"Graphwright doesn't check this file: it {error.reason}."
        severity = types.DiagnosticSeverity.Information
        return [types.Diagnostic(place, message, severity, "too-long", source=SOURCE)]


async def _ask_to_refresh(session: Session) -> None:
    await session.server.workspace_diagnostic_refresh_async(None)
