"""What the server shows of the last run, and that it notices another one."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]
pytestmark = pytest.mark.asyncio

FUNCTION = """\
@gw.function
def step(x, n):
    return x * n"""
TEXT = f"""\
import tensorflow as tf
import graphwright as gw


{FUNCTION}


step(tf.constant(1.0), 2)
"""


def write(folder: Path, calls: int, file: Path, name: str = "1.json") -> Path:
    trace = {
        "signature": "step(x: float32[], n=2)",
        "cause": "`n` was int 1 before and is int 2 now.",
        "remedy": "Pass a tensor.",
        "seconds": 0.25,
        "operations": 7,
        "avoidable": True,
        "file": str(file),
        "line": 9,
        "text": "step(tf.constant(1.0), 2)",
    }
    function: dict[str, Any] = {
        "file": str(file),
        "line": 5,
        "name": "step",
        "digest": hashlib.sha256(FUNCTION.encode()).hexdigest()[:16],
        "calls": calls,
        "seconds": 2.0,
        "traces": [trace],
    }
    account = {"version": 1, "started": "2030-01-01T10:00:00", "program": "a.py", "functions": [function]}
    target = folder / ".graphwright" / "traces" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    part.write_text(json.dumps(account))
    os.replace(part, target)
    return target


async def hover(client: LanguageClient, uri: str) -> str:
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(5, 5))
    found = await client.text_document_hover_async(params)
    return found.contents.value if found and isinstance(found.contents, types.MarkupContent) else ""


async def hints(client: LanguageClient, uri: str) -> list[str]:
    span = types.Range(types.Position(0, 0), types.Position(100, 0))
    found = await client.text_document_inlay_hint_async(types.InlayHintParams(types.TextDocumentIdentifier(uri), span))
    return [str(hint.label) for hint in found or [] if "last run" in str(hint.label)]


def opened(client: LanguageClient, folder: Path) -> tuple[Path, str]:
    file = folder / "models" / "a.py"
    file.parent.mkdir()
    file.write_text(TEXT)
    item = types.TextDocumentItem(file.as_uri(), "python", 1, TEXT)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return file, file.as_uri()


@pytest.mark.thorough
async def test_the_last_run_is_shown_until_there_is_another(connect: Connect, tmp_path: Path) -> None:
    def refreshes(params: types.InitializeParams) -> None:
        assert params.capabilities.workspace is not None
        params.capabilities.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)

    client = await connect(tmp_path, initialize=refreshes)
    asked: asyncio.Queue[None] = asyncio.Queue()
    client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(lambda params: asked.put_nowait(None))
    file, uri = opened(client, tmp_path)
    assert "Last run" not in await hover(client, uri)
    while not asked.empty():
        asked.get_nowait()
    write(tmp_path, 1204, file)
    shown = await hover(client, uri)
    assert "**Last run** of `a.py`, 2030-01-01 10:00:00" in shown and "1,204 calls" in shown
    assert "`n` was int 1 before and is int 2 now. *Avoidable.*" in shown and "Pass a tensor." in shown
    assert await hints(client, uri) == ["1 trace (1 avoidable), last run"]
    await asyncio.wait_for(asked.get(), 20)  # the hints may be older than the hover that saw it
    another = write(tmp_path, 3, file, "2.json")
    os.utime(another, (4e9, 4e9))
    await asyncio.wait_for(asked.get(), 20)
    assert ": 3 calls," in await hover(client, uri)


async def test_an_edit_and_a_broken_account(connect: Connect, tmp_path: Path) -> None:
    client = await connect(tmp_path)
    file, uri = opened(client, tmp_path)
    write(tmp_path, 5, file)
    (tmp_path / ".graphwright" / "traces" / "3.json").write_text('{"version": 1, "functions": [')
    assert "before your edits" not in await hover(client, uri)
    identifier = types.VersionedTextDocumentIdentifier(2, uri)
    text = types.TextDocumentContentChangeWholeDocument(TEXT.replace("x * n", "x + n").replace("1.0", "2.0"))
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [text]))
    assert "before your edits: 5 calls" in await hover(client, uri)
    assert await hints(client, uri) == []


async def test_it_can_be_switched_off(connect: Connect, tmp_path: Path) -> None:
    client = await connect(tmp_path, configuration={"liveTraces": {"enable": False}})
    file, uri = opened(client, tmp_path)
    write(tmp_path, 5, file)
    assert "Last run" not in await hover(client, uri)


async def test_a_lens_sums_it_up(connect: Connect, tmp_path: Path) -> None:
    client = await connect(tmp_path)
    file, uri = opened(client, tmp_path)
    write(tmp_path, 1204, file)
    found = await client.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    titles = {lens.command.title: lens.range.start.line for lens in found or [] if lens.command}
    assert titles["1 trace (1 avoidable) · 1,204 calls · 1.66 ms each (last run)"] in (4, 5), titles


async def test_nothing_is_looked_for_outside_of_the_workspace(connect: Connect, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    client = await connect(inner)
    file, uri = opened(client, inner)
    write(tmp_path, 5, file)
    assert "Last run" not in await hover(client, uri)
    write(inner, 5, file)
    assert "Last run" in await hover(client, uri)
