"""One thread that does the slow work, one job at a time: answers first, then what can wait, then what nobody misses.

What a job does is its own business; it is never interrupted, but isn't begun once nobody waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import TypeVar

from graphwright_server import garbage

_log = logging.getLogger(__name__)

Result = TypeVar("Result")


_REST = 1.0
"""After how many seconds without work garbage is looked for."""


class Worker:
    """Runs jobs in a thread of its own; to be used from the message loop's thread."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._wake = threading.Condition()
        self._answers: deque[Callable[[], None]] = deque()
        self._later: dict[str, Callable[[], None]] = {}
        self._idle: deque[Callable[[], None]] = deque()
        self._stopped = False
        threading.Thread(target=self._run, name=name, daemon=True).start()

    async def answer(self, work: Callable[[], Result]) -> Result:
        """The result of the work, which goes before all that can wait."""
        return await self._result(self._answers, work)

    async def idle(self, work: Callable[[], Result]) -> Result:
        """The result of the work, which is begun when there is nothing else to do."""
        return await self._result(self._idle, work)

    async def _result(self, queue: deque[Callable[[], None]], work: Callable[[], Result]) -> Result:
        future: asyncio.Future[Result] = self._loop.create_future()

        def job() -> None:
            if future.cancelled():
                return
            try:
                result = work()
            except BaseException as error:
                self.in_loop(_fail, future, error)
            else:
                self.in_loop(_succeed, future, result)

        with self._wake:
            queue.append(job)
            self._wake.notify()
        return await future

    @property
    def is_asked(self) -> bool:
        """Whether somebody waits for an answer; for any thread."""
        return bool(self._answers or self._stopped)

    @property
    def is_wanted(self) -> bool:
        """Whether anything waits that comes before what is done when there is nothing else to do; for any thread."""
        return bool(self._answers or self._later or self._stopped)

    def later(self, key: str, work: Callable[[], None]) -> None:
        """Do the work when there's time; a job with the same key that hasn't begun is replaced."""
        with self._wake:
            self._later.pop(key, None)
            self._later[key] = work
            self._wake.notify()

    def in_loop(self, function: Callable[..., object], *arguments: object) -> None:
        """Have the message loop call a function."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody wants it any more
            self._loop.call_soon_threadsafe(function, *arguments)

    def stop(self) -> None:
        """Begin no further job."""
        with self._wake:
            self._stopped = True
            self._wake.notify()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            try:
                job()
            except Exception:
                _log.exception("A background job failed")
            garbage.look(garbage.AT_LAST)

    def _next(self) -> Callable[[], None] | None:
        with self._wake:
            rest: float | None = _REST
            while not (self._stopped or self._answers or self._later or self._idle):
                if not self._wake.wait(rest):
                    garbage.look(garbage.AT_REST)
                    rest = None
            if self._stopped:
                return None
            if self._answers:
                return self._answers.popleft()
            if self._later:
                return self._later.pop(next(iter(self._later)))
            return self._idle.popleft()


def _succeed(future: asyncio.Future[Result], result: Result) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Result], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
