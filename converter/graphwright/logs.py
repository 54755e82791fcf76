"""How much Graphwright says of its work, and what traced code says while it is traced.

It all goes through the standard logger called "graphwright"; nothing is configured until somebody asks.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

_logger = logging.getLogger("graphwright")


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """0: warnings only; 1: what is converted and why something isn't; 2 and more: everything."""
    _logger.setLevel({0: logging.WARNING, 1: logging.INFO}.get(level, logging.DEBUG))
    if alsologtostdout and not any(getattr(handler, "stream", None) is sys.stdout for handler in _logger.handlers):
        _logger.addHandler(logging.StreamHandler(sys.stdout))


def trace(*args: Any) -> None:
    """Print while the code around is being traced, whatever the arguments are: tensors show as symbols."""
    print(*args)
