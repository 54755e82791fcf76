"""Inlay hints over the server's standard streams."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]
pytestmark = pytest.mark.asyncio

URI = "untitled:Untitled-1"
TEXT = """\
import tensorflow as tf


@tf.function
def f(x, training):
    name = "🎉"; y = x * 2.0
    if training:
        y = y + 1.0
    return y

f(tf.ones([3]), True)
"""


def open_document(client: LanguageClient, text: str) -> None:
    item = types.TextDocumentItem(uri=URI, language_id="python", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


async def hints(client: LanguageClient, first: int = 0, last: int = 1000) -> list[tuple[int, int, str]]:
    span = types.Range(types.Position(first, 0), types.Position(last, 0))
    found = await client.text_document_inlay_hint_async(types.InlayHintParams(types.TextDocumentIdentifier(URI), span))
    return [(hint.position.line, hint.position.character, str(hint.label)) for hint in found or []]


async def test_hints_stand_where_they_belong_behind_an_emoji_and_right_behind_edits(connect: Connect):
    client = await connect()
    open_document(client, TEXT)
    column = TEXT.splitlines()[5].index("y =") + 2  # the emoji is two units wide
    assert await hints(client) == [(4, 7, ": float32[3]"), (5, column, ": float32[3]"), (6, 16, "Python")]
    for version, size in ((2, 7), (3, 9)):
        line = TEXT.splitlines().index("f(tf.ones([3]), True)")
        change = types.TextDocumentContentChangePartial(
            range=types.Range(types.Position(line, 11), types.Position(line, 12)), text=str(size)
        )
        identifier = types.VersionedTextDocumentIdentifier(version, URI)
        client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        assert await hints(client, 4, 5) == [(4, 7, f": float32[{size}]")]


async def test_each_kind_can_be_switched_off(connect: Connect):
    client = await connect(configuration={"inlayHints": {"types": False, "controlFlow": True}})
    open_document(client, TEXT)
    assert [label for _, _, label in await hints(client)] == ["Python"]
    client.set_configuration({"graphwright": {"inlayHints.types": True, "inlayHints": {"controlFlow": False}}})
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    while [label for _, _, label in await hints(client)] == ["Python"]:
        pass
    assert {label for _, _, label in await hints(client)} == {": float32[3]"}
