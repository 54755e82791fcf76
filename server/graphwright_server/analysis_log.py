"""Collects the failures that the analysis logs and survives, for whoever has a place to tell of them.

Nothing is printed here.
"""

from __future__ import annotations

import logging

_ANALYSIS = "graphwright_analysis"


class AnalysisLog(logging.Handler):
    """Holds what was logged as an error since it was last asked, each in one line or with its traceback."""

    def __init__(self, tracebacks: bool) -> None:
        super().__init__(logging.ERROR)
        self._tracebacks = tracebacks
        self._messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if self._tracebacks:
            self._messages.append(self.format(record))
            return
        error = record.exc_info[1] if record.exc_info else None
        cause = f" ({type(error).__name__}: {error})" if error is not None else ""
        self._messages.append(record.getMessage() + cause)

    def take(self) -> list[str]:
        """The messages so far, which are forgotten."""
        messages, self._messages = self._messages, []
        return messages


def listen(*, tracebacks: bool = False) -> AnalysisLog:
    """Take over the analysis' log, which would otherwise go to standard error with its traceback."""
    logger = logging.getLogger(_ANALYSIS)
    for handler in logger.handlers[:]:
        if isinstance(handler, AnalysisLog):
            logger.removeHandler(handler)
    log = AnalysisLog(tracebacks)
    logger.addHandler(log)
    logger.propagate = False
    return log
