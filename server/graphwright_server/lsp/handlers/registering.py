"""How diagnostics are asked for, as clients can be told again and again: with the whole workspace or without.

What else is registered, once at the start, is in `lifecycle.py`.
"""

from __future__ import annotations

import logging

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from graphwright_server.lsp.session import Session

from .diagnostics import IDENTIFIER

_log = logging.getLogger(__name__)

_ID = "graphwright-diagnostics"
_METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC


def follow_mode(session: Session) -> None:
    """Have the client ask for the workspace's diagnostics if the user wants that, and not otherwise."""
    if session.client.registers_diagnostics:
        session.start(_follow_mode(session))


async def _follow_mode(session: Session) -> None:
    async with session.registering:
        whole = not session.checks_open_files_only
        if session.registered_whole == whole:
            return
        try:
            if session.registered_whole is not None:
                gone = types.UnregistrationParams([types.Unregistration(_ID, _METHOD)])
                await session.server.client_unregister_capability_async(gone)
            session.registered_whole = whole
            options = types.DiagnosticRegistrationOptions(
                inter_file_dependencies=True, workspace_diagnostics=whole, identifier=IDENTIFIER
            )
            new = types.RegistrationParams([types.Registration(_ID, _METHOD, options)])
            await session.server.client_register_capability_async(new)
        except JsonRpcException as error:
            _log.warning("The client rejected the registration for diagnostics: %s", error)
