"""Asks the client to fetch again what it shows beside the code: only what it says it can fetch again.

Diagnostics have a way of their own.
"""

from __future__ import annotations

import logging

from pygls.exceptions import JsonRpcException

from graphwright_server.lsp.session import Session

_log = logging.getLogger(__name__)


def ask(session: Session) -> None:
    """Something has changed that the client doesn't know of: settings, or a file that others import."""
    if can_ask(session):
        session.start(_ask(session))


def can_ask(session: Session) -> bool:
    """Whether there is anything that the client fetches again when it's asked to."""
    client = session.client
    return client.refreshes_inlay_hints or client.refreshes_code_lenses or client.refreshes_semantic_tokens


async def _ask(session: Session) -> None:
    client, server = session.client, session.server
    try:
        if client.refreshes_inlay_hints:
            await server.workspace_inlay_hint_refresh_async(None)
        if client.refreshes_code_lenses:
            await server.workspace_code_lens_refresh_async(None)
        if client.refreshes_semantic_tokens:
            await server.workspace_semantic_tokens_refresh_async(None)
    except JsonRpcException as error:
        _log.warning("The client rejected a refresh request: %s", error)
