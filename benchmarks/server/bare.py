"""The least that a language server on pygls can be: `ast.parse`, one pass over the names, and what is undefined.

What a real server costs beyond this one is what it finds out more.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

server = LanguageServer("bare", "1")


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def check(params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams) -> None:
    if server.client_capabilities.text_document and server.client_capabilities.text_document.diagnostic:
        return
    document = server.workspace.get_text_document(params.text_document.uri)
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, list(undefined_names(document)), document.version)
    )


@server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, types.DiagnosticOptions(False, False))
def pull(params: types.DocumentDiagnosticParams) -> types.RelatedFullDocumentDiagnosticReport:
    document = server.workspace.get_text_document(params.text_document.uri)
    return types.RelatedFullDocumentDiagnosticReport(list(undefined_names(document)))


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(params: types.HoverParams) -> types.Hover:
    document = server.workspace.get_text_document(params.text_document.uri)
    return types.Hover(document.word_at_position(params.position) or "")


def undefined_names(document: TextDocument) -> Iterator[types.Diagnostic]:
    used: list[ast.Name] = []
    bound: set[str] = set()
    for node in ast.walk(ast.parse(document.source)):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                used.append(node)
            else:
                bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
    for name in used:
        if name.id not in bound and not hasattr(builtins, name.id):
            start = types.Position(name.lineno - 1, name.col_offset)
            end = types.Position(name.lineno - 1, name.col_offset + len(name.id))
            yield types.Diagnostic(types.Range(start, end), f"`{name.id}` is not defined", source="bare")


if __name__ == "__main__":
    server.start_io()
