"""The `pyproject.toml` of each folder: followed while it's edited, and told where its settings can't be used.

What settings mean is the analysis' business.
"""

from __future__ import annotations

from pathlib import Path

import graphwright_analysis as analysis
from lsprotocol import types

from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import SOURCE, range_in
from graphwright_server.lsp.uris import key_of, uri_of

from . import diagnostics

_QUIET = 0.3


def follow(session: Session) -> None:
    """Read the settings again once nobody has typed for a moment."""
    session.soon("settings", _QUIET, _read_anew)


def look(session: Session) -> None:
    """Read the settings of all folders now, whether or not a file is open that they are for."""

    def read() -> None:
        session.projects_of(session.snapshot)

    session.worker.later("#settings", read)


def judge(session: Session, root: Path | None, error: analysis.SettingsError | None) -> None:
    """Tell at the place what is wrong with a folder's settings, or take that back."""
    at = None if error is None else key_of(uri_of(error.where))
    for told in [told for told, key in session.bad_settings.items() if told == root and key != at]:
        _publish(session, session.bad_settings.pop(told), None)
    if error is None or at is None:
        return
    session.bad_settings[root] = at
    _publish(session, at, error)
    if not any(document.key == at for document in session.snapshot.documents.values()):
        session.complain(f"The settings can't be used: {error}")


def _publish(session: Session, key: str, error: analysis.SettingsError | None) -> None:
    opened = next((document for document in session.snapshot.documents.values() if document.key == key), None)
    uri = uri_of(key) if opened is None else opened.uri
    items = [] if error is None else [_diagnostic(session, error, _text(key) if opened is None else opened.text)]
    version = None if opened is None else opened.version
    session.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items, version))


def _diagnostic(session: Session, error: analysis.SettingsError, text: str) -> types.Diagnostic:
    place = range_in(analysis.place_of(error, text), analysis.LineIndex(text), session.client.encoding)
    return types.Diagnostic(
        range=place, message=error.message, severity=types.DiagnosticSeverity.Error, source=SOURCE, code="settings"
    )


def _text(key: str) -> str:
    try:
        return analysis.read_text(key)
    except analysis.Unreadable:
        return ""


def _read_anew(session: Session) -> None:
    session.forget_settings()
    look(session)
    diagnostics.recheck_all(session)
