"""What is said of the place under the cursor; what it says is the analysis' and the converter's business."""

from __future__ import annotations

from functools import partial

import graphwright
import graphwright_analysis as analysis
from graphwright_analysis import immutable
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import offset_of
from graphwright_server.lsp.function_hover import HoveredFunction, function_hovered, link_to_preview, markdown
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import LspConverter

from . import callers, live_traces


@immutable
class _HoverAnswer:
    converter: LspConverter
    hover: analysis.Hover | None
    function: HoveredFunction | None


async def answer(session: Session, params: types.HoverParams) -> types.Hover | None:
    await session.configured()

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> _HoverAnswer:
        callers.catch_up(session, project, document)
        offset = offset_of(params.position, document.lines, session.client.encoding)
        told = live_traces.hover(session, project, document, offset, analysis.hover(project, document.key, offset))
        return _HoverAnswer(converter, told, function_hovered(project, document, offset))

    found = await session.ask(params.text_document.uri, question)
    if found is None:
        return None
    told = await _with_function(session, found, params) if found.function else found.hover
    return found.converter.hover(told) if told else None


def after_crash(session: Session, params: types.HoverParams) -> None:
    """What a client is told when the analysis failed: nothing."""


async def _with_function(session: Session, found: _HoverAnswer, params: types.HoverParams) -> analysis.Hover:
    function = found.function
    assert function is not None
    made = await session.previews.answer(partial(graphwright.previews.preview, function.located))
    linked = session.client.commands and session.client.hover_markdown
    link = link_to_preview(params.text_document.uri, params.position) if linked else None
    parts = [markdown(function, made, link), *([found.hover.markdown] if found.hover else [])]
    return analysis.Hover(function.header.range, "\n\n---\n\n".join(parts))
