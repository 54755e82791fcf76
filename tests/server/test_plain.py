"""What goes out to the client: the same as cattrs would make of it."""

from __future__ import annotations

from typing import Any

import pytest
from graphwright_server.lsp.plain import plain
from lsprotocol import converters, types

HERE = types.Range(types.Position(1, 2), types.Position(3, 4))
DIAGNOSTIC = types.Diagnostic(
    HERE,
    "a message",
    severity=types.DiagnosticSeverity.Warning,
    code="a-rule",
    code_description=types.CodeDescription("file:///page"),
    tags=[types.DiagnosticTag.Unnecessary],
    related_information=[types.DiagnosticRelatedInformation(types.Location("file:///a", HERE), "there")],
    data={"rule": "a-rule", "fixable": True, "nothing": None, "list": [1, 2.5, "x"]},
)
EDIT = types.TextDocumentEdit(
    types.OptionalVersionedTextDocumentIdentifier("file:///a"), [types.AnnotatedTextEdit("id", HERE, "new")]
)
MESSAGES: list[Any] = [
    types.PublishDiagnosticsNotification(types.PublishDiagnosticsParams("file:///a", [DIAGNOSTIC], 3)),
    types.HoverResponse(1, types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "text"))),
    types.HoverResponse(1, None),
    types.ShutdownResponse(1, None),
    types.ResponseErrorMessage(types.ResponseError(-32600, "no")),
    types.CodeActionResponse(
        "1",
        [
            types.CodeAction(
                "title",
                types.CodeActionKind.QuickFix,
                edit=types.WorkspaceEdit(
                    document_changes=[EDIT, types.CreateFile("file:///b")],
                    change_annotations={"id": types.ChangeAnnotation("label", needs_confirmation=False)},
                ),
            )
        ],
    ),
    types.RegistrationRequest(
        2, types.RegistrationParams([types.Registration("id", "method", types.RenameRegistrationOptions())])
    )
    if hasattr(types, "RegistrationRequest")
    else types.InitializedNotification(types.InitializedParams()),
    types.InitializeResponse(
        1,
        types.InitializeResult(
            types.ServerCapabilities(
                text_document_sync=types.TextDocumentSyncOptions(True, types.TextDocumentSyncKind.Incremental),
                position_encoding=types.PositionEncodingKind.Utf16,
            ),
            types.ServerInfo("graphwright"),
        ),
    ),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_it_is_what_cattrs_makes(message: Any):
    assert plain(message) == converters.get_converter().unstructure(message)


def test_what_is_no_object_of_the_protocol_stays():
    assert plain({"a": (1, None, types.DiagnosticTag.Deprecated)}) == {"a": [1, None, 2]}
