"""The language server: connects pygls, the session and the handlers, and runs until the client disconnects.

The answers are in `handlers/`; nothing slow runs in its message loop.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, NoReturn

from graphwright_analysis import __version__
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from . import logs, stdio
from .handlers import (
    agent,
    code_actions,
    code_lens,
    configuration,
    coverage,
    diagnostics,
    documents,
    environment,
    hover,
    inlay_hints,
    lifecycle,
    notebooks,
    preview,
    semantic_tokens,
    watched_files,
    workspace_diagnostics,
)
from .protocol import Protocol
from .session import Session

_log = logging.getLogger(__name__)

Notification = Callable[[Session, Any], "Coroutine[Any, Any, None] | None"]
Request = Callable[[Session, Any], Coroutine[Any, Any, Any]]
# What a request is answered with when its handler crashed.
Fallback = Callable[[Session, Any], Any]

_NOTIFICATIONS: dict[str, Notification] = {
    types.INITIALIZED: lifecycle.initialized,
    types.TEXT_DOCUMENT_DID_OPEN: documents.did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: documents.did_change,
    types.TEXT_DOCUMENT_DID_CLOSE: documents.did_close,
    types.NOTEBOOK_DOCUMENT_DID_OPEN: notebooks.did_open,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: notebooks.did_change,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: notebooks.did_close,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: configuration.did_change,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: watched_files.did_change,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: lifecycle.did_change_workspace_folders,
    types.SHUTDOWN: lifecycle.shutdown,
}
_REQUESTS: dict[str, tuple[Request, Fallback, Any]] = {
    types.TEXT_DOCUMENT_HOVER: (hover.answer, hover.after_crash, None),
    types.TEXT_DOCUMENT_INLAY_HINT: (inlay_hints.answer, inlay_hints.after_crash, inlay_hints.OPTIONS),
    types.TEXT_DOCUMENT_CODE_LENS: (code_lens.answer, code_lens.after_crash, code_lens.OPTIONS),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (
        semantic_tokens.full,
        semantic_tokens.after_crash,
        semantic_tokens.LEGEND,
    ),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (
        semantic_tokens.part,
        semantic_tokens.after_crash,
        semantic_tokens.LEGEND,
    ),
    types.TEXT_DOCUMENT_CODE_ACTION: (code_actions.answer, code_actions.after_crash, code_actions.OPTIONS),
    agent.SPECS: (agent.specs, agent.after_crash, None),
    agent.TRACE: (agent.trace, agent.after_crash, None),
    types.CODE_ACTION_RESOLVE: (code_actions.resolve, code_actions.unresolved, None),
    types.TEXT_DOCUMENT_DIAGNOSTIC: (
        diagnostics.pull,
        diagnostics.after_crash,
        diagnostics.OPTIONS,
    ),
    environment.METHOD: (environment.answer, environment.after_crash, None),
    coverage.METHOD: (coverage.answer, coverage.after_crash, None),
    preview.METHOD: (preview.answer, preview.after_crash, None),
    types.WORKSPACE_DIAGNOSTIC: (workspace_diagnostics.answer, workspace_diagnostics.after_crash, None),
}


def serve(log_file: str | None, log_level: str) -> int:
    """Serve one client over standard input and output, and return the exit code."""
    try:
        logs.to_file(log_file, log_level)
    except OSError as error:
        sys.stderr.write(f"graphwright: the log can't be written to {log_file}: {error.strerror}\n")
        return 2
    try:
        return asyncio.run(_serve())
    except KeyboardInterrupt:
        return 130


def _end_at_once(code: int) -> NoReturn:
    """End the process at once, whatever its threads are doing: nothing waits for them."""
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)


async def _serve() -> int:
    loop = asyncio.get_running_loop()
    left: asyncio.Future[int] = loop.create_future()
    messages: asyncio.Queue[bytes | None] = asyncio.Queue()
    server = _Server(
        "graphwright",
        __version__,
        protocol_cls=Protocol,
        converter_factory=default_converter,
        notebook_document_sync=notebooks.OPTIONS,
    )
    protocol = server.protocol

    def leave(code: int) -> None:
        if not left.done():
            left.set_result(code)
        messages.put_nowait(None)

    protocol.leave = leave
    session = Session(server, lambda: leave(1))
    protocol.tailor = partial(lifecycle.tailor, session)
    pipe = stdio.take_over(lambda: leave(protocol.exit_code))
    protocol.set_writer(pipe)
    _connect(server, session)
    logs.to_client(lambda message: session.worker.in_loop(server.window_log_message, message))
    pipe.read_in_background(lambda body: session.worker.in_loop(messages.put_nowait, body))
    while not left.done():
        body = await messages.get()
        if body is None:
            leave(protocol.exit_code)
            break
        protocol.receive(body)
        # A request takes its snapshot when its task first runs: before the next message is handled.
        await asyncio.sleep(0)
    session.stop()
    _end_at_once(left.result())


class _Server(LanguageServer):
    protocol: Protocol  # pyright: ignore[reportIncompatibleVariableOverride]

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log the error; pygls would open a message box."""
        _log.debug("%s: %s", getattr(source, "__name__", source), error)


def _connect(server: _Server, session: Session) -> None:
    server.feature(types.INITIALIZE)(partial(lifecycle.initialize, session))
    for method, notification in _NOTIFICATIONS.items():
        server.feature(method)(_guarded_notification(method, notification, session))
    for method, (request, fallback, options) in _REQUESTS.items():
        server.feature(method, options)(_guarded_request(method, request, fallback, session))


def _guarded_notification(method: str, handler: Notification, session: Session) -> Callable[[Any], None]:
    def guarded(params: Any) -> None:
        try:
            result = handler(session, params)
        except Exception:
            _log.exception("%s failed; this is a bug in Graphwright", method)
            return
        if result is not None:
            session.start(result)

    return guarded


def _guarded_request(
    method: str, handler: Request, fallback: Fallback, session: Session
) -> Callable[[Any], Coroutine[Any, Any, Any]]:
    async def guarded(params: Any) -> Any:
        try:
            return await handler(session, params)
        except JsonRpcException:
            raise
        except Exception:
            _log.exception("%s failed; this is a bug in Graphwright", method)
            return fallback(session, params)

    return guarded
