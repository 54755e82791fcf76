"""Changes on disk that the client watches for: a `pyproject.toml` that changes brings new settings."""

from __future__ import annotations

from lsprotocol import types

from graphwright_server.lsp.session import Session

from . import diagnostics

WATCHERS = types.DidChangeWatchedFilesRegistrationOptions(
    watchers=[types.FileSystemWatcher(glob_pattern="**/pyproject.toml")]
)


def did_change(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    if any(change.uri.endswith("/pyproject.toml") for change in params.changes):
        session.forget_settings()
        diagnostics.recheck_all(session)
