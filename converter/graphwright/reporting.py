"""Says what the converter does, through Python's logger "graphwright". It decides nothing and needs no TensorFlow."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

logger = logging.getLogger("graphwright")

_ALL_FRAMES = 3

_level: int | None = None
_handler: logging.Handler | None = None


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """How much to report: 0 nothing (the default), 1 what is converted, 2 its code, 3 whole tracebacks too."""
    global _level, _handler
    _level = level
    if _handler is not None:
        logger.removeHandler(_handler)
        _handler = None
    logger.setLevel(logging.DEBUG if level > 0 else logging.NOTSET)
    if alsologtostdout:
        _handle(logging.StreamHandler(sys.stdout))


def verbosity() -> int:
    """The level that was set, or the one of the environment variable GRAPHWRIGHT_VERBOSITY."""
    if _level is not None:
        return _level
    text = os.environ.get("GRAPHWRIGHT_VERBOSITY", "")
    return int(text) if text.lstrip("-").isdigit() else 0


def full_tracebacks() -> bool:
    """Whether tracebacks keep the frames of Graphwright and TensorFlow."""
    return verbosity() >= _ALL_FRAMES or os.environ.get("GRAPHWRIGHT_FULL_TRACEBACK", "") not in ("", "0")


def report(level: int, message: str, *args: Any) -> None:
    """Log a message if the verbosity is at least the level."""
    if verbosity() >= level:
        if not logger.hasHandlers():
            _handle(logging.StreamHandler())
        if not logger.isEnabledFor(logging.INFO):
            logger.setLevel(logging.DEBUG)
        logger.log(logging.INFO, message, *args)


def _handle(handler: logging.Handler) -> None:
    global _handler
    _handler = handler
    logger.addHandler(handler)


def trace(*args: Any) -> None:
    """Print the arguments while the function is traced, whatever they are; never when the graph runs."""
    print(*args)
