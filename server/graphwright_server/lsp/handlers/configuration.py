"""The client's settings: fetched at the start and whenever they change.

How they go together with the project's own settings is decided in `projects.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from lsprotocol import types

from graphwright_server.lsp.session import Session
from graphwright_server.lsp.uris import uri_of

from . import diagnostics, registering

SECTION = "graphwright"

_log = logging.getLogger(__name__)


async def did_change(session: Session, params: types.DidChangeConfigurationParams) -> None:
    if session.client.configuration:
        await fetch(session)
        return
    session.set_configuration({None: _section(params.settings)})
    registering.follow_mode(session)
    diagnostics.recheck_all(session)


async def fetch(session: Session) -> None:
    """Ask the client for the settings of each folder and those that apply everywhere."""
    places: list[Path | None] = [None, *session.snapshot.folders]
    items = [
        types.ConfigurationItem(scope_uri=uri_of(str(place)) if place else None, section=SECTION) for place in places
    ]
    try:
        answer = await session.server.workspace_configuration_async(types.ConfigurationParams(items))
        tables = [_table(value) for value in answer]
    except Exception:
        _log.exception("Couldn't fetch the client's configuration")
        tables = []
    _log.debug("Configuration: %s", tables)
    session.set_configuration(dict(zip(places, tables, strict=False)))
    registering.follow_mode(session)
    if session.is_configured:
        diagnostics.recheck_all(session)
    else:
        session.set_configured()  # and all that waited for it goes on


def initial(options: Any) -> Mapping[str, Any]:
    """The settings among the options that a client gives at the start."""
    return _section(_table(options).get("settings"))


def _section(settings: Any) -> Mapping[str, Any]:
    table = _table(settings)
    return _table(table.get(SECTION)) or table


def _table(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}
