"""Graph code over the protocol: in the hover of a function, and by `graphwright/preview`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]

pytestmark = pytest.mark.asyncio

URI = "untitled:Untitled-1"
SOURCE = """\
import tensorflow as tf


class Model(tf.Module):
    @tf.function
    def step(self, x: tf.Tensor, n: int):
        '🎉日é'; y = x
        if x > 0:
            y = -x
        for _ in range(n):
            y = y + 1
        return y

    def rows(self):
        yield 1


def make(n):
    def inner(x):
        return x if x else n

    return inner


@tf.function
def rows(x):
    if x > 0:
        yield x


def main():
    for number in range(3):
        if number:
            print(number)
"""


async def test_a_method(connect: Connect):
    client = await opened(connect, SOURCE)
    found = await preview(client, SOURCE, "if x > 0:\n            y = -x")
    assert (found.function, found.style, found.version, found.refused) == ("Model.step", "graphwright", 1, None)
    assert found.text.startswith("def step(self, x: tf.Tensor, n: int):\n")
    assert "y = gw.if_(x > 0, lambda y: -x, gw.unchanged, y)" in found.text
    lines = SOURCE.splitlines()
    assert [lines[line].strip() for line in found.lines][:2] == [
        "def step(self, x: tf.Tensor, n: int):",
        "'🎉日é'; y = x",
    ]
    assert len(found.lines) == len(found.text.splitlines())
    assert lines[found.range.start.line].strip() == "@tf.function"
    assert lines[found.range.end.line].strip() == "return y"
    assert found.range.end.character == len("        return y")


async def test_columns_behind_an_emoji_are_in_the_function(connect: Connect):
    client = await opened(connect, SOURCE)
    found = await ask(client, {"position": {"line": 6, "character": 18}})
    assert found.function == "Model.step"


async def test_a_nested_function_is_a_part_of_the_one_around_it(connect: Connect):
    client = await opened(connect, SOURCE)
    found = await preview(client, SOURCE, "return x if x")
    assert found.function == "make"
    assert "gw.if_" in found.text


@pytest.mark.parametrize(
    "parameters",
    [
        {"position": {"line": 0, "character": 3}},
        {"position": {"line": 1000, "character": 1000}},
        {"position": {"line": 6}},
        {"position": None},
        {},
        {"textDocument": {"uri": "untitled:other"}, "position": {"line": 6, "character": 9}},
        {"textDocument": None, "position": {"line": 6, "character": 9}},
    ],
)
async def test_where_there_is_no_function_there_is_no_preview(connect: Connect, parameters: dict[str, Any]):
    client = await opened(connect, SOURCE)
    assert await ask(client, parameters) is None


async def test_an_unknown_style_is_the_usual_one(connect: Connect):
    client = await opened(connect, SOURCE)
    found = await ask(client, {"position": {"line": 6, "character": 9}, "style": "nonsense"})
    assert found.style == "graphwright"


async def test_what_is_refused_says_why(connect: Connect):
    client = await opened(connect, SOURCE)
    found = await preview(client, SOURCE, "yield 1")
    assert (found.function, found.text, list(found.lines)) == ("Model.rows", "", [])
    assert "`rows` is a generator" in found.refused.message
    assert SOURCE.splitlines()[found.refused.line].strip() == "yield 1"
    assert found.refused.halfTyped is False


async def test_a_half_typed_file(connect: Connect):
    text = SOURCE.replace("yield 1", "yield (1")
    client = await opened(connect, text)
    assert "gw.if_" in (await preview(client, text, "if x > 0")).text
    broken = await preview(client, text, "yield (1")
    assert broken.refused.halfTyped is True
    assert broken.text == ""


async def test_plain_tensorflow(connect: Connect):
    text = "import tensorflow as tf\n\n\ndef f(x: tf.Tensor):\n    if x > 0:\n        x = -x\n    return x\n"
    client = await opened(connect, text)
    found = await preview(client, text, "if x", style="tensorflow")
    assert found.style == "tensorflow"
    assert found.text == "def f(x: tf.Tensor):\n    x = tf.cond(x > 0, lambda: -x, lambda: x)\n    return x\n"
    assert list(found.lines) == [3, 4, 6]


async def test_the_same_file_edited_twice(connect: Connect):
    client = await opened(connect, SOURCE)
    for version, sign in ((2, "+"), (3, "~")):
        text = SOURCE.replace("y = -x", f"y = {sign}x").replace("import", "\n" * version + "import", 1)
        change(client, version, text)
        found = await preview(client, text, "if x > 0")
        assert found.version == version
        assert f"lambda y: {sign}x" in found.text
        assert text.splitlines()[found.lines[0]].strip().startswith("def step")


async def test_a_long_function_keeps_nobody_waiting(connect: Connect):
    body = "".join(f"    if x > {number}:\n        x = x + {number}\n" for number in range(400))
    text = f"import tensorflow as tf\n\n\ndef long(x):\n{body}    return x\n\n\ny = tf.constant(1)\n"
    client = await opened(connect, text)
    await hover(client, text, "y = tf")
    waiting = asyncio.create_task(preview(client, text, "if x > 3:"))
    await asyncio.sleep(0.05)
    await hover(client, text, "y = tf")
    assert not waiting.done()
    assert len((await waiting).lines) > 400


async def test_the_hover_of_a_function(connect: Connect):
    client = await opened(connect, SOURCE)
    for marker in ("tf.function\n    def step", "def step", "step(self"):
        found = await hover(client, SOURCE, marker)
        assert found is not None and "```python\ndef step(self, x: tf.Tensor, n: int):" in found.contents.value
        assert "In the graph:** `if` (line 8)" in found.contents.value
        assert "Decided by Python:** `for` (line 10)" in found.contents.value
        assert "as Graphwright converts it\n\n```python\ndef step" in found.contents.value, (
            "the code is below its title"
        )
        assert "command:" not in found.contents.value
    body = await hover(client, SOURCE, "y = -x")
    assert body is None or "def step" not in body.contents.value


async def test_the_hover_of_a_function_tells_of_its_traces(connect: Connect):
    text = (
        "import tensorflow as tf\n\n\n@tf.function\ndef f(x, n):\n    return x * n\n\n\n"
        "f(tf.constant(1.0), 1)\nf(tf.constant(1.0), 2)\n"
    )
    client = await opened(connect, text)
    for marker in ("@tf", "def f"):
        found = await hover(client, text, marker)
        assert found is not None
        assert "**2 traces**. The calls in this file:" in found.contents.value
        assert "- `f(x: float32[], n=2)` (line 10): `n` changed from 1 to 2" in found.contents.value


async def test_the_hover_of_what_no_graph_has_to_do_with_says_nothing(connect: Connect):
    client = await opened(connect, SOURCE)
    assert await hover(client, SOURCE, "main") is None


async def test_the_hover_of_what_can_t_be_converted_says_why(connect: Connect):
    client = await opened(connect, SOURCE)
    found = await hover(client, SOURCE, "def rows(x)")
    assert found is not None and "**No graph code** of `rows`" in found.contents.value


async def test_a_long_preview_is_cut_and_links_to_the_whole(connect: Connect):
    body = "".join(f"    if x > {number}:\n        x = x + {number}\n" for number in range(40))
    text = f"import tensorflow as tf\n\n\n@tf.function\ndef long(x: tf.Tensor):\n{body}    return x\n"

    def with_commands(params: types.InitializeParams) -> None:
        params.initialization_options = {"commands": True}

    client = await opened(connect, text, initialize=with_commands)
    found = await hover(client, text, "def long")
    assert found is not None
    assert found.contents.value.count("[Open to the side]") == 2
    shown = found.contents.value.split("```")[1]
    assert shown.count("\n") == 1 + 25
    assert "… 217 more lines: [Open to the side](command:graphwright.showPreview?" in found.contents.value
    assert "`if` (lines 6, 8, 10, 12, 14, 16, 18, 20), 32 more" in found.contents.value
    link = found.contents.value.partition("showPreview?")[2].partition(")")[0]
    assert json.loads(unquote(link)) == [URI, {"line": 4, "character": 0}]


async def test_what_another_file_lends_from_a_library_is_called_as_it_is(connect: Connect, tmp_path: Path):
    (tmp_path / "names.py").write_text("import tensorflow as tf\n\nc = tf.constant\n\n\ndef own(x):\n    return x\n")
    text = "from names import c, own\nfrom nowhere import other\n\n\ndef f(x):\n    return c(1) + own(x) + other(x)\n"
    uri = (tmp_path / "model.py").as_uri()
    client = await connect(folder=tmp_path)
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, text)))
    found = await ask(client, {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 9}})
    assert found.text.splitlines()[1] == "    return c(1) + gw.converted(own)(x) + gw.converted(other)(x)"


# The client


async def opened(connect: Connect, text: str, **options: Any) -> LanguageClient:
    client = await connect(**options)
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(URI, "python", 1, text)))
    return client


def change(client: LanguageClient, version: int, text: str) -> None:
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=version, uri=URI),
            [types.TextDocumentContentChangeWholeDocument(text)],
        )
    )


async def preview(client: LanguageClient, text: str, marker: str, style: str = "graphwright") -> Any:
    return await ask(client, {"position": place(text, marker), "style": style})


async def ask(client: LanguageClient, parameters: dict[str, Any]) -> Any:
    parameters = {"textDocument": {"uri": URI}, **parameters}
    return await client.protocol.send_request_async("graphwright/preview", parameters)


async def hover(client: LanguageClient, text: str, marker: str) -> types.Hover | None:
    position = place(text, marker)
    return await client.text_document_hover_async(
        types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(**position))
    )


def place(text: str, marker: str) -> dict[str, int]:
    offset = text.index(marker)
    before = text[:offset].rpartition("\n")[2]
    return {"line": text.count("\n", 0, offset), "character": len(before.encode("utf-16-le")) // 2}
