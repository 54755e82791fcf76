"""Quick fixes, fix-all and rewrites, always computed for the current text.

The diagnostics that the client sends may be outdated and are ignored. A rewrite that takes long to prove is offered
without proof, and computed when the user chooses it, if the client supports that.
"""

from __future__ import annotations

from typing import Any, cast

import graphwright
import graphwright_analysis as analysis
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from graphwright_server.lsp.client import Client
from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import range_of
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import LspConverter

_REWRITE = "refactor.rewrite.graphwright"
_CONTENT_MODIFIED = -32801

OPTIONS = types.CodeActionOptions(
    code_action_kinds=[types.CodeActionKind.QuickFix, "source.fixAll.graphwright", _REWRITE],
    resolve_provider=True,
)


async def answer(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    client = session.client
    if not client.literal_actions:
        return []
    kinds, proof = _asked_for(client, params.context)

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> list[types.CodeAction]:
        place = range_of(params.range, document.lines, client.encoding)
        actions = analysis.code_actions(project, document.key, place, kinds, graphwright.rewrites.REWRITES, proof)
        shown = [action for action in actions if not action.disabled or client.disabled_actions]
        return [converter.code_action(action, _data(params, document)) for action in shown]

    return await session.ask(params.text_document.uri, question) or []


def after_crash(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The answer if the analysis failed: no actions."""
    return []


async def resolve(session: Session, action: types.CodeAction) -> types.CodeAction:
    """Return the action with its edits; if it turns out to be impossible, tell the user why."""
    data = cast("dict[str, Any]", action.data or {})
    document = session.snapshot.document(str(data.get("uri")))
    if document is None:
        return action
    if document.version != data.get("version"):
        raise JsonRpcException("The text has changed since this action was offered.", _CONTENT_MODIFIED)
    span = types.Range(*(types.Position(*place) for place in data["range"]))

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> types.CodeAction:
        place = range_of(span, document.lines, session.client.encoding)
        made = analysis.code_actions(project, document.key, place, [str(action.kind)], graphwright.rewrites.REWRITES)
        found = next((each for each in made if each.kind == action.kind), None)
        if found is None or found.disabled:
            action.disabled = types.CodeActionDisabled(found.disabled or "" if found else "It's no longer possible.")
        else:
            action.edit = converter.workspace_edit(found)
        return action

    resolved = await session.ask(document.uri, question) or action
    if resolved.disabled is not None:
        message = f"{resolved.title}: not possible. {resolved.disabled.reason}"
        session.server.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))
        resolved.disabled = resolved.disabled if session.client.disabled_actions else None
    return resolved


def unresolved(session: Session, action: types.CodeAction) -> types.CodeAction:
    """The answer if the analysis failed: the action without edits."""
    return action


def _asked_for(client: Client, context: types.CodeActionContext) -> tuple[list[str] | None, analysis.Proof]:
    """The requested kinds, and when to prove rewrites: an automatic request shouldn't wait for that."""
    kinds = None if context.only is None else [str(getattr(kind, "value", kind)) for kind in context.only]
    if any(kind.startswith(_REWRITE) for kind in kinds or ()):
        return kinds, analysis.Proof.NOW
    if client.resolves_edits:
        rewriting = any(kind.startswith("refactor") for kind in kinds or ())
        return kinds, analysis.Proof.UNLESS_SLOW if rewriting else analysis.Proof.LATER
    automatic = context.trigger_kind == types.CodeActionTriggerKind.Automatic
    return ["quickfix", "source"] if automatic and kinds is None else kinds, analysis.Proof.NOW


def _data(params: types.CodeActionParams, document: Document) -> object:
    """The data that the client must send back to compute the action."""
    places = (params.range.start, params.range.end)
    span = [[place.line, place.character] for place in places]
    return {"uri": document.uri, "version": document.version, "range": span}
