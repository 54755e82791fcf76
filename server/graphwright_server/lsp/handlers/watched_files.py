"""Changes on disk that the client watches for: new settings in a `pyproject.toml`, requirements, and files that others
import.

A thousand changes in one go, as of a checkout, are looked at once.
"""

from __future__ import annotations

from lsprotocol import types

from graphwright_server.lsp.session import Session
from graphwright_server.lsp.uris import configures

from . import diagnostics, refreshing, settings_files

WATCHERS = types.DidChangeWatchedFilesRegistrationOptions(
    watchers=[
        types.FileSystemWatcher(glob_pattern=pattern)
        for pattern in (
            "**/pyproject.toml",
            "**/*.py",
            "**/*.ipynb",
            "**/setup.cfg",
            "**/requirements*.txt",
            "**/requirements/*.txt",
            "**/keras.json",
            "**/*baseline.json",
        )
    ]
)

_QUIET = 0.15


def did_change(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    if params.changes:
        session.changed_on_disk |= {change.uri: change.type for change in params.changes}
        session.soon("watched files", _QUIET, _look)


def _look(session: Session) -> None:
    """Look at all that has changed on the disk since the last look."""
    changed, session.changed_on_disk = session.changed_on_disk, {}
    if any(kind != types.FileChangeType.Changed for kind in changed.values()):
        session.files_came_or_went()
    session.changes.note()
    if any(map(configures, changed)):
        session.forget_settings()
        settings_files.look(session)
        diagnostics.recheck_all(session)
    elif any(uri not in session.snapshot.documents for uri in changed):
        diagnostics.recheck_all(session)
    else:
        # What is shown beside the code of files that import a saved one.
        refreshing.ask(session)
