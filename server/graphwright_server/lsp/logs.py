"""Where the log goes: to the client as `window/logMessage`, and to a file when asked.

Standard error stays empty, because editors show it as a failure.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from lsprotocol import types

_OWN = "graphwright_server"
_ANALYSIS = "graphwright_analysis"
_LIBRARY = "pygls"
_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def to_file(path: str | None, level: str) -> None:
    """Set the level, and write everything to a file if one is named; raises OSError."""
    threshold = _LEVELS[level]
    for name in (_OWN, _ANALYSIS):
        logging.getLogger(name).setLevel(threshold)
    logging.getLogger(_LIBRARY).setLevel(threshold if level == "debug" else logging.ERROR)
    handler: logging.Handler = logging.NullHandler()
    if path is not None:
        handler = logging.FileHandler(path, encoding="utf-8")
        handler.setFormatter(logging.Formatter(_FORMAT))
    logging.getLogger().addHandler(handler)


def to_client(send: Callable[[types.LogMessageParams], None]) -> None:
    """Also send what we log ourselves to the client; `send` may be called from any thread."""
    handler = _ClientHandler(send)
    for name in (_OWN, _ANALYSIS):
        logging.getLogger(name).addHandler(handler)


class _ClientHandler(logging.Handler):
    def __init__(self, send: Callable[[types.LogMessageParams], None]) -> None:
        super().__init__()
        self._send = send

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._send(types.LogMessageParams(_message_type(record.levelno), self.format(record)))
        except Exception:
            self.handleError(record)


def _message_type(level: int) -> types.MessageType:
    if level >= logging.ERROR:
        return types.MessageType.Error
    if level >= logging.WARNING:
        return types.MessageType.Warning
    return types.MessageType.Info if level >= logging.INFO else types.MessageType.Log
