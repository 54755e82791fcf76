"""What is said of the place under the cursor; what it says is the analysis' business."""

from __future__ import annotations

from graphwright_analysis import Project, hover
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import offset_of
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import Converter

from . import live_traces


async def answer(session: Session, params: types.HoverParams) -> types.Hover | None:
    def question(project: Project, document: Document, converter: Converter) -> types.Hover | None:
        offset = offset_of(params.position, document.lines, session.client.encoding)
        found = hover(project, document.key, offset)
        found = live_traces.hover(session, project, document, offset, found)
        return converter.hover(found) if found else None

    return await session.ask(params.text_document.uri, question)


def after_crash(session: Session, params: types.HoverParams) -> None:
    """What a client is told when the analysis failed: nothing."""
