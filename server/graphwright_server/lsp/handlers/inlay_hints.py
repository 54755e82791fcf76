"""The hints inside of the lines that the client shows; which kinds, the user decides."""

from __future__ import annotations

import graphwright_analysis as analysis
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import range_of
from graphwright_server.lsp.preferences import Preferences
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import LspConverter

from . import callers, live_traces

OPTIONS = types.InlayHintOptions(resolve_provider=False)


async def answer(session: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    await session.configured()
    kinds = _kinds(session.preferences(params.text_document.uri))

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> list[types.InlayHint]:
        callers.catch_up(session, project, document)
        span = range_of(params.range, document.lines, session.client.encoding)
        found = [*analysis.inlay_hints(project, document.key, span, kinds)]
        if "traces" in kinds:
            live = live_traces.hints(session, project, document, span)
            # What a call did is told instead of what it was foreseen to do.
            told = {hint.offset for hint in live}
            foreseen = (hint for hint in found if hint.kind != "traces" or hint.offset not in told)
            found = [*foreseen, *live]
        return [converter.inlay_hint(hint) for hint in found]

    return await session.ask(params.text_document.uri, question) or [] if kinds else []


def after_crash(session: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    """What a client is told when the analysis failed: no hints."""
    return []


def _kinds(wanted: Preferences) -> frozenset[analysis.HintKind]:
    switches: dict[analysis.HintKind, bool] = {
        "types": wanted.inlay_hint_types,
        "traces": wanted.inlay_hint_traces,
        "control flow": wanted.inlay_hint_control_flow,
    }
    return frozenset(kind for kind, on in switches.items() if on)
