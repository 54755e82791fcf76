"""pygls' protocol with our own manners: texts are kept by the session, and every request gets an answer.

What the answers say is in `handlers/`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Generator
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import LanguageServerProtocol, lsp_method

from .plain import plain

_log = logging.getLogger(__name__)

# pygls would keep a second copy of each text and apply each change to it line by line.
_OURS: dict[type, str] = {
    types.DidOpenTextDocumentNotification: types.TEXT_DOCUMENT_DID_OPEN,
    types.DidChangeTextDocumentNotification: types.TEXT_DOCUMENT_DID_CHANGE,
    types.DidCloseTextDocumentNotification: types.TEXT_DOCUMENT_DID_CLOSE,
    types.DidOpenNotebookDocumentNotification: types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.DidChangeNotebookDocumentNotification: types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.DidCloseNotebookDocumentNotification: types.NOTEBOOK_DOCUMENT_DID_CLOSE,
}
_JSON = json.JSONEncoder(separators=(",", ":"))


class Protocol(LanguageServerProtocol):
    """The protocol; `leave` is called with the exit code when the client says goodbye."""

    leave: Callable[[int], None]
    # Takes out of the stated capabilities what the client is better told later.
    tailor: Callable[[types.ServerCapabilities], None]

    def receive(self, body: bytes) -> None:
        """Handle one message, whatever it holds."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            _log.error("A message that isn't JSON: %s", error)
            return
        if not isinstance(data, dict):
            _log.error("A message that isn't an object")
            return
        self._receive_object(cast("dict[str, Any]", data))

    def _receive_object(self, data: dict[str, Any]) -> None:
        asks = "id" in data and "method" in data
        try:
            if (refusal := self._refusal(data.get("method"))) is not None:
                if asks:
                    raise refusal
                return
            message: Any = self.structure_message(data)
            if asks and not hasattr(message, "id"):
                raise JsonRpcInvalidRequest(f"{data['method']} is a notification: it has no answer")
            own = _OURS.get(message.__class__)
            if own is None:
                self.handle_message(message)
            else:
                self._feature(own)(message.params)
        except JsonRpcException as error:
            _log.error("The message %s can't be handled: %s", data.get("method", data.get("id")), error)
            if asks:
                self._send_response(data["id"], error=error.to_response_error())
        except Exception:
            _log.exception("The message %s can't be handled", data.get("method", data.get("id")))

    def _refusal(self, method: Any) -> JsonRpcException | None:
        """Why a request or notification isn't welcome now, if it isn't."""
        if method is None or method == types.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("The server is shutting down")
        if self._workspace is None and method != types.INITIALIZE:
            return JsonRpcServerNotInitialized("The server isn't initialized yet")
        if self._workspace is not None and method == types.INITIALIZE:
            return JsonRpcInvalidRequest("The server is already initialized")
        return None

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        result = yield from super().lsp_initialize(params)
        self.tailor(result.capabilities)
        return result

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        self.leave(self.exit_code)

    @property
    def exit_code(self) -> int:
        """Zero if the client said goodbye in order."""
        return 0 if self._shutdown else 1

    def _send_data(self, data: Any) -> None:
        """Write one message; pygls would have cattrs look at every object in it."""
        try:
            body = _JSON.encode(plain(data)).encode("ascii")
        except Exception:
            _log.exception("A message can't be written; this is a bug in Graphwright")
            return
        if self.writer is not None:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def _feature(self, method: str) -> Callable[[Any], None]:
        return cast("dict[str, Any]", self.fm.features)[method]  # pyright: ignore[reportUnknownMemberType]
