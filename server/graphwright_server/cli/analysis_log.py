"""Collects the failures that the analysis logs and survives, so that each can be told in one line.

Nothing is printed here.
"""

from __future__ import annotations

import logging

_ANALYSIS = "graphwright_analysis"


class AnalysisLog(logging.Handler):
    """Holds what was logged as an error since it was last asked."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        cause = f" ({type(error).__name__}: {error})" if error is not None else ""
        self._messages.append(record.getMessage() + cause)

    def take(self) -> list[str]:
        """The messages so far, which are forgotten."""
        messages, self._messages = self._messages, []
        return messages


def listen() -> AnalysisLog:
    """Take over the analysis' log, which would otherwise go to standard error with its traceback."""
    logger = logging.getLogger(_ANALYSIS)
    for handler in logger.handlers[:]:
        if isinstance(handler, AnalysisLog):
            logger.removeHandler(handler)
    log = AnalysisLog()
    logger.addHandler(log)
    logger.propagate = False
    return log
