"""The tokens that tell staged control flow and traced-once effects from the rest, for a file or a part of it.

The legend has standard types only; what is special about a token is its modifier.
"""

from __future__ import annotations

import graphwright_analysis as analysis
from lsprotocol import types

from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.from_lsp import range_of
from graphwright_server.lsp.session import Session
from graphwright_server.lsp.to_lsp import TOKEN_MODIFIERS, TOKEN_TYPES, LspConverter

LEGEND = types.SemanticTokensLegend(token_types=list(TOKEN_TYPES), token_modifiers=list(TOKEN_MODIFIERS))


async def full(session: Session, params: types.SemanticTokensParams) -> types.SemanticTokens:
    return await _tokens(session, params.text_document.uri, None)


async def part(session: Session, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    return await _tokens(session, params.text_document.uri, params.range)


def after_crash(
    session: Session, params: types.SemanticTokensParams | types.SemanticTokensRangeParams
) -> types.SemanticTokens:
    """What a client is told when the analysis failed: no tokens."""
    return types.SemanticTokens(data=[])


async def _tokens(session: Session, uri: str, span: types.Range | None) -> types.SemanticTokens:
    await session.configured()

    def question(project: analysis.Project, document: Document, converter: LspConverter) -> types.SemanticTokens:
        part = None if span is None else range_of(span, document.lines, session.client.encoding)
        tokens = analysis.semantic_tokens(project, document.key, part)
        return converter.semantic_tokens([token for token in tokens if document.shows(token.range)])

    wanted = session.preferences(uri).semantic_tokens
    return (await session.ask(uri, question) if wanted else None) or types.SemanticTokens(data=[])
