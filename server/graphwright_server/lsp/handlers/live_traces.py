"""What the last run of the user's programs is known to have done, for the answers that show it beside the code."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import graphwright_analysis as analysis

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.session import Session

from . import refreshing

_INTERVAL = 2.0


def findings(session: Session, project: analysis.Project, document: Document) -> Sequence[analysis.LiveFinding]:
    """The functions of a document that have run; for the worker."""
    runs = _runs(session, document)
    return analysis.live_findings(project, document.key, runs) if runs else ()


def lenses(session: Session, project: analysis.Project, document: Document) -> Sequence[analysis.Lens]:
    """Above the functions that have run; for the worker."""
    found = findings(session, project, document)
    return [analysis.Lens(finding.range, finding.range.start, finding.title, "last run") for finding in found]


def hints(
    session: Session, project: analysis.Project, document: Document, span: analysis.Range
) -> Sequence[analysis.InlayHint]:
    """After the calls that traced; for the worker."""
    runs = _runs(session, document)
    return analysis.live_hints(project, document.key, span, runs) if runs else ()


def hover(
    session: Session, project: analysis.Project, document: Document, offset: int, found: analysis.Hover | None
) -> analysis.Hover | None:
    """What a hover says of the place, and below it what became of the function whose name is there."""
    for finding in findings(session, project, document):
        if finding.range.contains(offset):
            above = f"{found.markdown}\n\n---\n\n" if found else ""
            return analysis.Hover(found.range if found else finding.range, above + finding.markdown)
    return found


async def watch(session: Session) -> None:
    """Have the client ask again once a program has told of itself.

    Clients that watch files miss some in folders that were just made, and many watch none.
    """
    while True:
        await asyncio.sleep(_INTERVAL)
        session.worker.later("live traces", partial(_look, session))


def _look(session: Session) -> None:
    if session.live_traces.have_changed():
        session.worker.in_loop(refreshing.ask, session)


def _runs(session: Session, document: Document) -> Sequence[analysis.LiveRun]:
    if not session.preferences(document.uri).live_traces:
        return ()
    return session.live_traces.of(document.key, session.snapshot.root_of(document))
