"""The lenses above traced functions; an editor without the commands gets the number of traces alone.

What the commands do is the editor's.
"""

from __future__ import annotations

import graphwright_analysis as analysis
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import LspConverter

from . import callers, live_traces

OPTIONS = types.CodeLensOptions(resolve_provider=False)

_COMMANDS = {"preview": "graphwright.showPreview", "trace": "graphwright.trace", "time": "graphwright.time"}
_PLACES = {"coverage": "graphwright.goTo"}
"""What leads somewhere, and says something to those as well who can't go there."""
_RUNNING = ("trace", "time")
"""The lenses that run code, which only files have."""


async def answer(session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    await session.configured()
    if not session.preferences(params.text_document.uri).code_lens:
        return []

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> list[types.CodeLens]:
        callers.catch_up(session, project, document)
        lenses = [*analysis.code_lenses(project, document.key), *live_traces.lenses(session, project, document)]
        offered = [lens for lens in lenses if _offered(session, document, lens) and document.shows(lens.range)]
        commands = {**_COMMANDS, **_PLACES} if session.client.commands else {}
        return [converter.code_lens(lens, commands.get(lens.kind, "")) for lens in offered]

    return await session.ask(params.text_document.uri, question) or []


def after_crash(session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    """What a client is told when the analysis failed: no lenses."""
    return []


def _offered(session: Session, document: Document, lens: analysis.Lens) -> bool:
    if lens.kind in _RUNNING and not (document.is_file or document.is_cell):
        return False
    return session.client.commands or lens.kind not in _COMMANDS
