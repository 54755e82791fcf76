"""Changes on disk that the client watches for: new settings in a `pyproject.toml`, and files that others import."""

from __future__ import annotations

from lsprotocol import types

from graphwright_server.lsp.live_traces import PATTERN, is_account
from graphwright_server.lsp.session import Session

from . import diagnostics, live_traces

WATCHERS = types.DidChangeWatchedFilesRegistrationOptions(
    watchers=[types.FileSystemWatcher(glob_pattern=pattern) for pattern in ("**/pyproject.toml", "**/*.py", PATTERN)]
)


def did_change(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    changes = [change for change in params.changes if not is_account(change.uri)]
    if len(changes) < len(params.changes):
        live_traces.did_change(session)
    if any(change.uri.endswith("/pyproject.toml") for change in changes):
        session.forget_settings()
        diagnostics.recheck_all(session)
    elif any(change.uri not in session.snapshot.documents for change in changes):
        diagnostics.recheck_all(session)
