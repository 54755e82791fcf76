"""What files that nobody has open call in those that are: found out while there is nothing else to do.

No answer waits for it. Where it tells something new, the client is asked to look again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from pathlib import Path

import graphwright_analysis as analysis

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.progress import Bar
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.snapshots import Snapshot
from graphwright_server.lsp.to_lsp import LspConverter

from . import diagnostics

_log = logging.getLogger(__name__)

_EVER = 3600.0
# How long something else has the thread before this is tried again.
_AGAIN = 0.1
# What may be spent on it while a client waits for hints: they would go and come again with each letter.
_AT_ONCE = 0.03


async def follow(session: Session) -> None:
    """Look at the callers of open documents after each change of anything, for as long as the client is there."""
    seen = -1
    while True:
        await session.changes.after(seen, _EVER)
        seen = session.changes.count
        bar = Bar(session.server, session.client, "Graphwright: callers in other files", None)
        try:
            await _refresh_all(session, seen, bar)
        except Exception:
            _log.exception("Couldn't find the callers of the open files; this is a bug in Graphwright")
        finally:
            bar.end()


def catch_up(session: Session, project: analysis.Project, document: Document) -> None:
    """Have what callers see of a document be of its newest text, if that takes no time; for the worker."""
    until = time.monotonic() + _AT_ONCE
    with project.sources.cancelled_when(lambda: session.worker.is_asked or time.monotonic() > until):
        try:
            if not project.callers_are_refreshed(document.key) and project.refresh_callers(document.key):
                session.worker.in_loop(diagnostics.look_again, session, [document.uri])
        except (analysis.Cancelled, analysis.Unreadable):
            # It will be found out when there is time.
            return


async def _refresh_all(session: Session, seen: int, bar: Bar) -> None:
    """Bring up to date what is known of each open document, until something changes or the user has enough of it."""
    await session.configured()
    snapshot = session.snapshot
    programs, told, listed = snapshot.programs(), list[str](), set["Path | None"]()
    for done, (uri, document) in enumerate(programs.items()):
        changed = None
        while changed is None:
            await bar.show(done, len(programs), "open files")
            if session.changes.count != seen or bar.given_up:
                break
            changed = await session.worker.idle(partial(_refresh, session, snapshot, document, listed))
            if changed is None:
                await asyncio.sleep(_AGAIN)
        if changed:
            told.append(uri)
    if told:
        diagnostics.look_again(session, told)


def _refresh(session: Session, snapshot: Snapshot, document: Document, listed: set[Path | None]) -> bool | None:
    """Whether anything is known of a document now that wasn't; None where other work came first. For the worker.

    Of each folder it is seen once who imports whom there; `listed` has those of which it was.
    """
    root = snapshot.root_of(document)

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> bool | None:
        with project.sources.cancelled_when(lambda: session.worker.is_wanted or session.snapshot is not snapshot):
            try:
                if root not in listed:
                    project.refresh_importers()
                    listed.add(root)
                return project.refresh_callers(document.key)
            except analysis.Cancelled:
                return None
            except analysis.Unreadable:
                return False

    return session.look(snapshot, document, question)
