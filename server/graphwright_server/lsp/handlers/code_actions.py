"""Quick fixes and fix-all, always made for the text as it is now.

The diagnostics that the client sends along may be old and are not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis import Project, code_actions
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import range_of
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import Converter

OPTIONS = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, "source.fixAll.graphwright"])


async def answer(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    if not session.client.literal_actions:
        return []

    def question(project: Project, document: Document, converter: Converter) -> list[types.CodeAction]:
        place = range_of(params.range, document.lines, session.client.encoding)
        actions = code_actions(project, document.key, place)
        return [converter.code_action(action) for action in actions if _wanted(action.kind, params.context.only)]

    return await session.ask(params.text_document.uri, question) or []


def after_crash(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What a client is told when the analysis failed: that there is nothing to do."""
    return []


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a kind is among those asked for, each of which stands for its sub-kinds too."""
    if only is None:
        return True
    names = [str(getattr(name, "value", name)) for name in only]
    return any(name == "" or kind == name or kind.startswith(f"{name}.") for name in names)
