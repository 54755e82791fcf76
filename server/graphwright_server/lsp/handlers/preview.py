"""The graph code of the function around a place, for an editor to show beside the source.

It is made in a thread of its own; nothing of the user's is run for it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import graphwright
import graphwright_analysis as analysis
from graphwright_analysis import immutable
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import offset_of, place_in
from graphwright_server.lsp.locating import function_in
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import LspConverter, plain_range

if TYPE_CHECKING:
    from graphwright.previews import Located, Preview, PreviewStyle

METHOD = "graphwright/preview"


@immutable
class _PreviewedFunction:
    document: Document
    located: Located
    range: types.Range
    lines: analysis.LineIndex
    """Those of the whole text, which aren't the document's if that is a notebook's cell."""

    def line(self, number: int) -> int:
        """The line of the document that a line of the whole text is."""
        start = self.lines.starts[min(number, len(self.lines.starts) - 1)]
        return max(self.document.lines.line_of(start), 0)


async def answer(session: Session, params: Any) -> dict[str, Any] | None:
    place = place_in(params)
    if place is None:
        return None
    uri, position = place
    style: PreviewStyle = "tensorflow" if getattr(params, "style", None) == "tensorflow" else "graphwright"

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> _PreviewedFunction | None:
        offset = offset_of(position, document.lines, session.client.encoding)
        located = function_in(project, document.key, offset)
        lines = project.module(document.key).lines
        return _PreviewedFunction(document, located, converter.range(located.range), lines) if located else None

    found = await session.ask(uri, question)
    if found is None:
        return None
    made = await session.previews.answer(
        partial(graphwright.previews.preview, found.located, style, found.document.text)
    )
    return _told(found, style, made)


def after_crash(session: Session, params: Any) -> None:
    """What a client is told when converting failed: nothing."""


def _told(found: _PreviewedFunction, style: PreviewStyle, made: Preview) -> dict[str, Any]:
    refused = made.refused
    return {
        "function": found.located.name,
        "style": style,
        "version": found.document.version,
        "range": plain_range(found.range),
        "text": made.text,
        "lines": [found.line(line) for line in made.lines],
        "refused": refused
        and {"message": refused.message, "line": found.line(refused.line), "halfTyped": refused.half_typed},
    }
