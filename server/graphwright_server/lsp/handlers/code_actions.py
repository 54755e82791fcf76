"""Quick fixes, fix-all and rewrites, always made for the text as it is now.

The diagnostics that the client sends along may be old and are not looked at.
"""

from __future__ import annotations

from graphwright_analysis import Project, code_actions
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import range_of
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import Converter

OPTIONS = types.CodeActionOptions(
    code_action_kinds=[
        types.CodeActionKind.QuickFix,
        "source.fixAll.graphwright",
        "refactor.rewrite.graphwright",
    ]
)


async def answer(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    if not session.client.literal_actions:
        return []
    only = params.context.only
    kinds = None if only is None else [str(getattr(kind, "value", kind)) for kind in only]
    shows_disabled = session.client.disabled_actions

    def question(project: Project, document: Document, converter: Converter) -> list[types.CodeAction]:
        place = range_of(params.range, document.lines, session.client.encoding)
        actions = code_actions(project, document.key, place, kinds)
        return [converter.code_action(action) for action in actions if not action.disabled or shows_disabled]

    return await session.ask(params.text_document.uri, question) or []


def after_crash(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What a client is told when the analysis failed: that there is nothing to do."""
    return []
