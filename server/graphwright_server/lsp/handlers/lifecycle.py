"""Hello, goodbye, and the folders in between."""

from __future__ import annotations

import logging
import platform
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import graphwright_analysis as analysis
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from graphwright_server import garbage
from graphwright_server.lsp.client import client_of
from graphwright_server.lsp.parent import exists, watch
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.uris import path_of

from . import callers, configuration, diagnostics, environment, live_traces, refreshing, registering, settings_files
from .watched_files import WATCHERS

_log = logging.getLogger(__name__)


def initialize(session: Session, params: types.InitializeParams) -> None:
    encoding = session.server.workspace.position_encoding or types.PositionEncodingKind.Utf16
    session.client = client_of(params.capabilities, encoding, params.initialization_options)
    session.judge_settings = partial(settings_files.judge, session)
    session.set_folders(_folders(params))
    session.interpreter = environment.chosen(params.initialization_options)
    session.set_configuration({None: configuration.initial(params.initialization_options)})
    if not session.client.configuration:
        session.set_configured()
    if params.process_id is not None and exists(params.process_id):
        session.start(watch(params.process_id, session.leave))
    name = f"{params.client_info.name} {params.client_info.version or ''}" if params.client_info else "unknown"
    _log.info(
        "Graphwright %s on Python %s for %s; positions in %s; folders: %s",
        analysis.__version__,
        platform.python_version(),
        name.strip(),
        session.client.encoding.value,
        ", ".join(map(str, session.snapshot.folders)) or "none",
    )
    session.worker.later("loading", _load_the_analysis)


def tailor(session: Session, capabilities: types.ServerCapabilities) -> None:
    """Whether the whole workspace is checked depends on the settings, which aren't known yet."""
    if session.client.registers_diagnostics:
        capabilities.diagnostic_provider = None


async def initialized(session: Session, params: types.InitializedParams) -> None:
    registrations = list(_registrations(session))
    if registrations:
        session.start(_register(session, registrations))
    if session.client.configuration:
        await configuration.fetch(session)
    else:
        registering.follow_mode(session)
    if refreshing.can_ask(session):
        session.start(live_traces.watch(session))
    session.start(callers.follow(session))
    await environment.tell(session)


def did_change_workspace_folders(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    removed = set(_paths(folder.uri for folder in params.event.removed))
    kept = [folder for folder in session.snapshot.folders if folder not in removed]
    added = [folder for folder in _paths(folder.uri for folder in params.event.added) if folder not in kept]
    session.set_folders((*kept, *added))
    session.forget_settings()
    if session.client.configuration:
        session.start(configuration.fetch(session))
    else:
        diagnostics.recheck_all(session)


def shutdown(session: Session, params: None) -> None:
    session.stop()


def _load_the_analysis() -> None:
    """What the client's first answer doesn't wait for.

    All that was imported stays, so garbage is looked for among the rest alone.
    """
    for name in analysis.__all__:
        getattr(analysis, name)
    analysis.all_rules()
    garbage.look_between()


async def _register(session: Session, registrations: list[types.Registration]) -> None:
    try:
        await session.server.client_register_capability_async(types.RegistrationParams(registrations))
    except JsonRpcException as error:
        _log.warning("The client rejected a registration: %s", error)


def _registrations(session: Session) -> Iterable[types.Registration]:
    if session.client.registers_configuration:
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        options = types.DidChangeConfigurationRegistrationOptions(section=configuration.SECTION)
        yield types.Registration("graphwright-configuration", method, options)
    if session.client.registers_watched_files:
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        yield types.Registration("graphwright-watched-files", method, WATCHERS)


def _folders(params: types.InitializeParams) -> tuple[Path, ...]:
    if params.workspace_folders:
        return _paths(folder.uri for folder in params.workspace_folders)
    if params.root_uri:
        return _paths([params.root_uri])
    return (Path(params.root_path),) if params.root_path else ()


def _paths(uris: Iterable[str]) -> tuple[Path, ...]:
    return tuple(path for uri in uris if (path := path_of(uri)) is not None)
