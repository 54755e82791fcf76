"""Lenses, semantic tokens and hovers over the server's standard streams."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]
pytestmark = pytest.mark.asyncio

URI = "untitled:Untitled-1"
TEXT = """\
import tensorflow as tf


@tf.function
def f(x):
    name = "🎉"; y = x if tf.reduce_sum(x) > 0 else -x
    print("🎉", y)
    return y

f(tf.ones([3]))
f(tf.ones([4]))
"""


def open_document(client: LanguageClient, text: str, uri: str = URI) -> types.TextDocumentIdentifier:
    item = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return types.TextDocumentIdentifier(uri)


def insert(client: LanguageClient, version: int, line: int, text: str, uri: str = URI) -> None:
    at = types.Position(line, 0)
    change = types.TextDocumentContentChangePartial(range=types.Range(at, at), text=text)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version, uri), [change])
    )


def with_commands(params: types.InitializeParams) -> None:
    params.initialization_options = {"commands": True}


async def test_lenses_have_the_commands_that_the_client_has(connect: Connect, tmp_path: Path):
    client = await connect(initialize=with_commands)
    uri = (tmp_path / "model.py").as_uri()
    document = open_document(client, TEXT, uri)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    told = [(lens.command.title, lens.command.command) for lens in lenses or [] if lens.command]
    assert told == [
        ("Preview graph code", "graphwright.showPreview"),
        ("Trace", "graphwright.trace"),
        ("2 traces", ""),
        ("Time", "graphwright.time"),
    ]
    assert lenses and lenses[0].command
    assert [*(lenses[0].command.arguments or ())] == [uri, {"line": 4, "character": 4}]
    for version in (2, 3):
        insert(client, version, 0, "# a line\n", uri)
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
        assert {lens.range.start.line for lens in lenses or []} == {2 + version + 1}


async def test_a_client_without_the_commands_gets_the_count_alone(connect: Connect):
    client = await connect()
    document = open_document(client, TEXT)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert [(lens.command.title, lens.command.command) for lens in lenses or [] if lens.command] == [("2 traces", "")]


DARK = """\
import tensorflow as tf

def outer(n):
    raise ValueError(n)
    @tf.function
    def inner(x):
        return x
    return inner

@tf.function
def f(x):
    if x > 0:
        return x
    raise ValueError(x)
    return x
"""


async def test_what_is_not_followed_is_told(connect: Connect):
    client = await connect(initialize=with_commands)
    document = open_document(client, DARK)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    told = {lens.command.title: lens.command for lens in lenses or [] if lens.command}
    why = "not called where `outer` defines it"
    lens = told[f"not analyzed:  {why}"]
    assert (lens.command, [*(lens.arguments or ())]) == ("graphwright.goTo", [URI, {"line": 5, "character": 4}])
    assert sum(title.startswith("not analyzed") for title in told) == 1
    answer = await client.protocol.send_request_async("graphwright/coverage", {"textDocument": {"uri": URI}})
    assert answer.words == "1 of 2 traced functions analyzed; dtype and rank known for 0% of their names"
    assert [(each.name, each.status) for each in answer.functions] == [("outer.inner", "not entered"), ("f", "partly")]
    assert [(reason.why, reason.decided) for each in answer.functions for reason in each.reasons] == [
        (why, False),
        ("the code before it never continues", True),
    ]
    assert answer.functions[0].range.start.line == 5
    assert await client.protocol.send_request_async("graphwright/coverage", {"textDocument": {}}) is None


async def test_what_takes_too_many_steps_is_named(connect: Connect):
    client = await connect()
    long = f"    rows = [{'0, ' * 200}]\n" * 320
    open_document(client, f"import tensorflow as tf\n\n\ndef main():\n    tf.function(abs)\n{long}")
    answer = await client.protocol.send_request_async("graphwright/coverage", {"textDocument": {"uri": URI}})
    (cut,) = answer.cut
    assert (cut.name, cut.range.start.line) == ("main", 3)
    assert cut.why.startswith("`main` is analyzed only up to line ") and answer.words == cut.why


async def test_lenses_can_be_switched_off(connect: Connect):
    client = await connect(configuration={"codeLens": {"enable": False}, "semanticTokens": {"enable": False}})
    document = open_document(client, TEXT)
    assert not await client.text_document_code_lens_async(types.CodeLensParams(document))
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert tokens is not None and list(tokens.data) == []


async def test_tokens_stand_where_they_belong_behind_an_emoji_and_right_behind_edits(connect: Connect):
    client = await connect()
    document = open_document(client, TEXT)
    line = TEXT.splitlines()[5]
    first, second = line.index(" if ") + 2, line.index(" else ") + 2  # the emoji is two units wide
    wanted = [5, first, 2, 0, 1, 0, second - first, 4, 0, 1, 1, 4, 5, 1, 2]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert tokens is not None and list(tokens.data) == wanted
    for version in (2, 3):
        insert(client, version, 0, "# a line\n")
        tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        assert tokens is not None and list(tokens.data) == [wanted[0] + version - 1, *wanted[1:]]
    span = types.Range(types.Position(8, 0), types.Position(9, 0))
    part = await client.text_document_semantic_tokens_range_async(types.SemanticTokensRangeParams(document, span))
    assert part is not None and list(part.data) == [8, 4, 5, 1, 2]


async def test_hover_on_a_keyword_behind_an_emoji(connect: Connect):
    client = await connect()
    open_document(client, TEXT)
    column = TEXT.splitlines()[5].index(" if ") + 2
    found = await client.text_document_hover_async(
        types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(5, column))
    )
    assert found is not None and isinstance(found.contents, types.MarkupContent)
    assert found.contents.value.startswith("**Part of the graph.** `tf.reduce_sum(x) > 0` is a tensor (`bool[]`)")
    assert found.range == types.Range(types.Position(5, column), types.Position(5, column + 2))
