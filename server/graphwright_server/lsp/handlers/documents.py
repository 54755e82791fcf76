"""Opening, changing and closing documents; each hands the new text to the diagnostics."""

from __future__ import annotations

import logging
from functools import partial

import graphwright
from lsprotocol import types

from graphwright_server.lsp.documents import changed, opened
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.uris import is_settings_file

from . import diagnostics, settings_files

_log = logging.getLogger(__name__)


def did_open(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    document = opened(params.text_document)
    session.put(document)
    _show(session, document.uri)
    diagnostics.schedule_importers(session, document.uri, came_or_went=True)
    # After the first diagnostics, so that the first hover needn't load what converts.
    session.worker.later("previews", partial(session.worker.in_loop, session.previews.later, "load", _load_previews))


def did_change(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    uri = params.text_document.uri
    document = session.snapshot.documents.get(uri)
    if document is None:
        _log.warning("A change of a document that isn't open: %s", uri)
        return
    version = params.text_document.version
    session.put(changed(document, params.content_changes, version, session.client.encoding))
    _show(session, uri)
    diagnostics.schedule_importers(session, uri)


def did_close(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    if uri in session.snapshot.documents:
        session.drop(uri)
        if is_settings_file(uri):
            settings_files.follow(session)
        else:
            diagnostics.withdraw(session, uri)
            diagnostics.schedule_importers(session, uri, came_or_went=True)


def _show(session: Session, uri: str) -> None:
    if is_settings_file(uri):
        settings_files.follow(session)
    else:
        diagnostics.schedule(session, uri)


def _load_previews() -> None:
    _ = graphwright.previews
