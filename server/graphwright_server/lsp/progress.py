"""How far a long job is, where the client shows that: with the client's own token, or one asked for after a second.

What the job does when its user gives it up is its own business.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from .client import Client

_PATIENCE = 1.0
_PAUSE = 0.1
_numbers = itertools.count(1)


class Bar:
    """The progress of one job of so many steps."""

    def __init__(self, server: LanguageServer, client: Client, title: str, token: types.ProgressToken | None) -> None:
        self._progress: Any = server.work_done_progress
        self._title = title
        self._token = token
        self._may_ask = token is None and client.shows_progress
        self._started = time.monotonic()
        self._told: float | None = None

    @property
    def given_up(self) -> bool:
        """Whether the user has cancelled the job at its bar."""
        future = None if self._token is None else self._progress.tokens.get(self._token)
        return future is not None and bool(future.cancelled())

    async def show(self, done: int, total: int, unit: str) -> None:
        """So many of so many are done."""
        now = time.monotonic()
        if self._may_ask and now - self._started > _PATIENCE:
            self._may_ask = False
            await self._ask()
        if self._token is None or (self._told is not None and now - self._told < _PAUSE):
            return
        message, percentage = f"{done}/{total} {unit}", 100 * done // max(total, 1)
        if self._told is None:
            begin = types.WorkDoneProgressBegin(self._title, cancellable=True, message=message, percentage=percentage)
            self._progress.begin(self._token, begin)
        else:
            report = types.WorkDoneProgressReport(cancellable=True, message=message, percentage=percentage)
            self._progress.report(self._token, report)
        self._told = now

    def end(self, message: str | None = None) -> None:
        """The job is over."""
        if self._token is None:
            return
        if self._told is not None:
            self._progress.end(self._token, types.WorkDoneProgressEnd(message=message))
        self._progress.tokens.pop(self._token, None)

    async def _ask(self) -> None:
        token = f"graphwright-{next(_numbers)}"
        try:
            await asyncio.wait_for(self._progress.create_async(token), 5)
        except (JsonRpcException, asyncio.TimeoutError):
            return
        self._token = token
