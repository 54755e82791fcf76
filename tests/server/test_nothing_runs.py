"""Whatever an editor asks, no code of the user's is imported or run: a file that would write to the disk proves it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from graphwright_server.lsp.server import _REQUESTS
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]

TRAP = "open({path!r}, 'a').write('ran')"
MODEL = """\
{trap}
import tensorflow as tf
import graphwright as gw
import helper
from helper import other
from os import system

system("touch {path}")


def springs(function=exec({trap!r})):
    {trap}
    return function


@gw.function
@springs
def step(x: tf.Tensor, n=helper.number()):
    {trap}
    y = other(x)
    if x > 0:
        y = -x
    for i in range(n):
        y = y + i
    return y


class Model(tf.Module, metaclass=helper.Meta):
    {trap}
    kept = tf.function(lambda x: helper.run() or x)

    @tf.function
    def call(self, x: tf.Tensor):
        {trap}
        while x > 0:
            x = x - 1
        return x


for number in range(5):
    step(tf.constant(number), number)
Model().call(tf.constant(1))
"""
HELPER = """\
{trap}
import tensorflow as tf

Meta = type(exec({trap!r}) or tf.Module)


def other(x):
    {trap}
    return tf.cast(x, tf.float32)


number = run = other
"""


@pytest.mark.thorough
@pytest.mark.asyncio
async def test_no_request_runs_anything(connect: Connect, tmp_path: Path):
    trap = tmp_path / "trap"
    folder, uri = workspace(tmp_path, trap)
    client = await connect(folder=folder)
    text = (folder / "model.py").read_text()
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, text)))
    answers = {method: await answered(client, method, uri, text) for method in sorted(_REQUESTS)}
    change_everything(client, uri, text)
    answers[types.TEXT_DOCUMENT_HOVER] += await answered(client, types.TEXT_DOCUMENT_HOVER, uri, text)
    assert not trap.exists()
    for method in (types.TEXT_DOCUMENT_HOVER, types.TEXT_DOCUMENT_CODE_ACTION, "graphwright/preview"):
        assert any(answers[method]), f"{method} had nothing to say, so it proves nothing"
    # The file would have written had it been run.
    exec(compile(TRAP.format(path=str(trap)), "trap", "exec"))
    assert trap.exists()


def workspace(tmp_path: Path, trap: Path) -> tuple[Path, str]:
    folder = tmp_path / "workspace"
    folder.mkdir()
    names = {"trap": TRAP.format(path=str(trap)), "path": str(trap)}
    for name, text in (("model.py", MODEL), ("helper.py", HELPER)):
        (folder / name).write_text(text.replace("{trap!r}", repr(names["trap"])).format(**names))
    for name in ("tensorflow", "graphwright", "keras", "numpy", "sitecustomize"):
        (folder / f"{name}.py").write_text(names["trap"] + "\n")
    return folder, (folder / "model.py").as_uri()


async def answered(client: LanguageClient, method: str, uri: str, text: str) -> list[Any]:
    """What is said to a request about every line, with all that any request may want to be told."""
    lines = text.splitlines()
    end = {"line": len(lines), "character": 0}
    found: list[Any] = []
    for number, line in enumerate(lines):
        place = {"line": number, "character": len(line) - len(line.lstrip()) + 5}
        whole = {"start": {"line": 0, "character": 0}, "end": end}
        parameters = {
            "textDocument": {"uri": uri},
            "position": place,
            "range": whole if method == types.TEXT_DOCUMENT_INLAY_HINT else {"start": place, "end": place},
            "context": {"diagnostics": [], "triggerKind": 1},
            "previousResultIds": [],
            "style": ("graphwright", "tensorflow")[number % 2],
            "arguments": "x=tf.TensorSpec([], tf.float32)",
            "action": ("trace", "time", "run")[number % 3],
            "title": "",
        }
        try:
            found.append(
                await asyncio.wait_for(client.protocol.send_request_async(method, told(method, parameters)), 60)
            )
        except JsonRpcException:
            # A request that isn't allowed here.
            continue
    return found


def told(method: str, parameters: dict[str, Any]) -> Any:
    """The parameters as the method has them; others are left out."""
    kinds = types.METHOD_TO_TYPES.get(method)
    return parameters if kinds is None else default_converter().structure(parameters, kinds[2])


def change_everything(client: LanguageClient, uri: str, text: str) -> None:
    changed = types.TextDocumentContentChangeWholeDocument(f"{text}\nstep(tf.constant(1.0))\n")
    identifier = types.VersionedTextDocumentIdentifier(version=2, uri=uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [changed]))
    client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
    event = types.FileEvent(uri, types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
