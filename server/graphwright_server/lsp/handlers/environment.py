"""Which Python environment and which TensorFlow the code is for, asked by a client and told in the log.

It starts no Python.
"""

from __future__ import annotations

import dataclasses
import logging
from functools import partial
from typing import Any, cast

from graphwright_server.environments import Environment, environment_of
from graphwright_server.lsp.session import Session

METHOD = "graphwright/environment"

_log = logging.getLogger(__name__)


def chosen(options: Any) -> str | None:
    """The interpreter that the client names in its initialization options, if it names one."""
    named: Any = cast("dict[str, Any]", options).get("interpreter") if isinstance(options, dict) else None
    return named if isinstance(named, str) and named else None


async def answer(session: Session, params: Any) -> dict[str, str | None]:
    """The environment of the interpreter that the client named, or of the folders."""
    found = await _find(session)
    told = {name: value for name, value in dataclasses.asdict(found).items() if name != "packages"}
    return {**told, "words": found.words}


def after_crash(session: Session, params: Any) -> None:
    """What a client is told when an environment can't be looked at: nothing."""


async def tell(session: Session) -> None:
    """Say once, in the log, what was found."""
    found = await _find(session)
    _log.info("%s: %s", found.words, found.executable)


async def _find(session: Session) -> Environment:
    return await session.worker.answer(partial(environment_of, session.snapshot.folders, session.interpreter))
