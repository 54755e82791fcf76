"""Links, devices and named pipes in a workspace, trusted or not: the server reads none of them and answers on."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]
pytestmark = [pytest.mark.asyncio, pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")]

LITTLE_MEMORY = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
sys.argv = ["graphwright", "server", "--stdio"]
runpy.run_module("graphwright_server", run_name="__main__", alter_sys=True)
"""
USER = "import pkg\nfrom x import y\n"


@pytest.mark.parametrize("trusted", [False, True], ids=["untrusted", "trusted"])
@pytest.mark.parametrize("kind", ["pipe", "device"])
async def test_the_server_answers_on(connect: Connect, tmp_path: Path, bad: str, kind: str, trusted: bool) -> None:
    places = ["x.py", "x.ipynb", "pkg/__init__.py", ".graphwright/traces/a.json", "pyproject.toml"]
    for place in places:
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    (tmp_path / "closed.py").write_text(USER + bad)

    def options(params: types.InitializeParams) -> None:
        params.initialization_options = {"trusted": trusted}
        assert params.capabilities.text_document is not None
        params.capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()

    client = await connect(tmp_path, initialize=options, command=[sys.executable, "-I", "-c", LITTLE_MEMORY])
    uri = (tmp_path / "user.py").as_uri()
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, USER + bad)))
    asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    found = await asyncio.wait_for(client.text_document_diagnostic_async(asked), 40)
    assert [item.code for item in found.items] == ["undefined-in-branch"]
    place = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(6, 5))
    shown = await asyncio.wait_for(client.text_document_hover_async(place), 40)
    assert shown is not None
    everywhere = types.WorkspaceDiagnosticParams([])
    report = await asyncio.wait_for(client.workspace_diagnostic_async(everywhere), 40)
    found_in = {Path(item.uri).name: len(item.items) for item in report.items if item.kind == "full"}
    assert found_in["closed.py"] == 1
