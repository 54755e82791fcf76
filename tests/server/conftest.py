"""What the language server's tests share: a text with one finding, the server's command, and a client."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import LanguageClient, make_test_lsp_client

SERVER = [sys.executable, "-I", "-m", "graphwright_server", "server", "--stdio"]

BAD = """\
import tensorflow as tf


@tf.function
def clip(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = tf.constant(2.0)
    return y
"""


@pytest.fixture
def bad() -> str:
    """A text with exactly one finding, an error of undefined-in-branch that has a fix."""
    return BAD


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The command that starts a server, from a process that has imported it already."""
    path = str(tmp_path_factory.mktemp("prepared") / "socket")
    script = str(Path(__file__).with_name("prepared_server.py"))
    command = [sys.executable, script, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield [sys.executable, "-S", "-E", script, path, "client"]
        process.stdin.close()


@pytest_asyncio.fixture
async def connect(prepared: list[str]) -> AsyncIterator[Callable[..., Awaitable[LanguageClient]]]:
    """Start a server and say hello; at the end each server must leave in order.

    Without a command, the server is one that was imported before.
    """
    clients: list[LanguageClient] = []

    async def start(
        folder: Path | None = None,
        encodings: list[types.PositionEncodingKind | str] | None = None,
        command: list[str] | None = None,
        configuration: dict[str, Any] | None = None,
        initialize: Callable[[types.InitializeParams], None] = lambda params: None,
    ) -> LanguageClient:
        client = make_test_lsp_client()
        client.published = asyncio.Queue()  # type: ignore[attr-defined]
        # pytest-lsp's own handler keeps the last report alone; here the order matters.
        client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = client.published.put_nowait  # type: ignore[attr-defined]
        client.registered = []  # type: ignore[attr-defined]

        @client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            client.registered.extend(item.method for item in params.registrations)  # type: ignore[attr-defined]

        if configuration is not None:
            client.set_configuration({"graphwright": configuration})
        await client.start_io(*(command or prepared))
        clients.append(client)
        params = types.InitializeParams(
            capabilities=capabilities(encodings),
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name)] if folder else None,
        )
        initialize(params)
        await client.initialize_session(params)
        return client

    yield start
    for client in clients:
        if client._server is not None and client._server.returncode is None:
            await asyncio.wait_for(client.shutdown_session(), 20)
            assert client._server.returncode == 0
        await client.stop()


def capabilities(encodings: list[types.PositionEncodingKind | str] | None) -> types.ClientCapabilities:
    """Those of a client that can do everything but pull diagnostics."""
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=encodings) if encodings else None,
        workspace=types.WorkspaceClientCapabilities(
            configuration=True,
            workspace_folders=True,
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
            did_change_configuration=types.DidChangeConfigurationClientCapabilities(dynamic_registration=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        ),
        text_document=types.TextDocumentClientCapabilities(
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
            code_action=types.CodeActionClientCapabilities(
                is_preferred_support=True,
                code_action_literal_support=types.ClientCodeActionLiteralOptions(
                    types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix])
                ),
            ),
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=True,
                version_support=True,
                data_support=True,
                code_description_support=True,
                tag_support=types.ClientDiagnosticsTagOptions([types.DiagnosticTag.Unnecessary]),
            ),
        ),
    )
