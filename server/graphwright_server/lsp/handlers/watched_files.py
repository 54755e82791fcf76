"""Changes on disk that the client watches for: new settings in a `pyproject.toml`, and files that others import."""

from __future__ import annotations

from lsprotocol import types

from graphwright_server.lsp.session import Session

from . import diagnostics

WATCHERS = types.DidChangeWatchedFilesRegistrationOptions(
    watchers=[types.FileSystemWatcher(glob_pattern=pattern) for pattern in ("**/pyproject.toml", "**/*.py")]
)


def did_change(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    if any(change.uri.endswith("/pyproject.toml") for change in params.changes):
        session.forget_settings()
        diagnostics.recheck_all(session)
    elif any(change.uri not in session.snapshot.documents for change in params.changes):
        diagnostics.recheck_all(session)
