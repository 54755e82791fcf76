"""Tracing on demand through the language server: who may ask, what is answered, and how it ends."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]

MODEL = """\
import pathlib
import time

import tensorflow as tf

pathlib.Path(__file__).with_name("imported").write_text("yes")


@tf.function
def step(x):
    print("tracing now")
    for _ in tf.range(3):
        x = x * 2.0
    return x


if tf.__version__ != "0":
    step(tf.zeros([4, 3]))


def sleep(x):
    pathlib.Path(__file__).with_name("pid").write_text(str(__import__("os").getpid()))
    time.sleep(600)


def grow(x):
    held = []
    while True:
        held.append(bytearray(b"x" * 50_000_000))
"""


STAND_IN = """\
__version__ = "0"
def function(call=None, **options): return call or (lambda each: each)
def constant(value): return value
zeros = range_ = constant
class TensorSpec: pass
class nest:
    flatten = staticmethod(lambda value: [value])
    pack_sequence_as = staticmethod(lambda value, flat: flat[0])
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A TensorFlow that is imported at once, for how the process ends rather than what it finds."""
    folder = tmp_path / "stand_in"
    folder.mkdir()
    (folder / "tensorflow.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *(entry for entry in sys.path if entry)]))


def trusted(params: types.InitializeParams) -> None:
    params.initialization_options = {"trusted": True}


async def opened(client: LanguageClient, folder: Path) -> str:
    file = folder / "model.py"
    file.write_text(MODEL)
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(file.as_uri(), "python", 1, MODEL))
    )
    return file.as_uri()


def position_of(text: str) -> dict[str, int]:
    line = MODEL[: MODEL.index(text)].count("\n")
    return {"line": line, "character": 4}


async def asked(client: LanguageClient, method: str, uri: str, **params: Any) -> Any:
    answer = client.protocol.send_request_async(method, {"textDocument": {"uri": uri}, **params})
    return await asyncio.wait_for(answer, 90)


def exists(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z" if os.path.isdir("/proc") else True


async def process_in(folder: Path) -> int:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        text = (folder / "pid").read_text() if (folder / "pid").exists() else ""
        if text:
            return int(text)
        await asyncio.sleep(0.1)
    raise AssertionError("the agent never got there")


async def gone(process: int) -> bool:
    until = time.monotonic() + 10
    while time.monotonic() < until and exists(process):
        await asyncio.sleep(0.1)
    return not exists(process)


@pytest.mark.asyncio
async def test_specs_of_the_function_at_the_cursor(connect: Connect, tmp_path: Path) -> None:
    client = await connect(tmp_path)
    uri = await opened(client, tmp_path)
    answer = await asked(client, "graphwright/specs", uri, position=position_of("def step"))
    assert (answer.function, answer.arguments) == ("step", "x=tf.TensorSpec([4, 3], tf.float32)")
    assert [(each.name, each.spec) for each in answer.parameters] == [("x", "tf.TensorSpec([4, 3], tf.float32)")]
    assert await asked(client, "graphwright/specs", uri, position=position_of("import time")) is None
    assert not (tmp_path / "imported").exists()


@pytest.mark.asyncio
async def test_specs_name_an_interpreter_without_tensorflow(connect: Connect, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    (bare / "lib" / "python3.11" / "site-packages").mkdir(parents=True)
    (bare / "pyvenv.cfg").write_text("version = 3.11.7\n")
    interpreter = str(bare / "bin" / "python")
    client = await connect(tmp_path)
    uri = await opened(client, tmp_path)

    answer = await asked(client, "graphwright/specs", uri, position=position_of("def step"), interpreter=interpreter)
    assert answer.problem == f"TensorFlow isn't installed for {interpreter}. Select an interpreter that has it."

    (bare / "lib" / "python3.11" / "site-packages" / "tensorflow_cpu-2.21.0.dist-info").mkdir()
    answer = await asked(client, "graphwright/specs", uri, position=position_of("def step"), interpreter=interpreter)
    assert answer.problem is None


@pytest.mark.asyncio
async def test_a_workspace_that_is_not_trusted_runs_nothing(connect: Connect, tmp_path: Path) -> None:
    client = await connect(tmp_path)
    uri = await opened(client, tmp_path)
    with pytest.raises(JsonRpcException, match="trusted"):
        await asked(client, "graphwright/trace", uri, position=position_of("def step"), arguments="")
    assert not (tmp_path / "imported").exists()


@pytest.mark.truth
@pytest.mark.asyncio
async def test_a_trace_with_its_steps(connect: Connect, tmp_path: Path) -> None:
    client = await connect(tmp_path, initialize=trusted)
    uri = await opened(client, tmp_path)
    await asked(client, "graphwright/specs", uri, position=position_of("def step"))
    assert not (tmp_path / "imported").exists()
    steps: list[Any] = []
    client.protocol.fm.features["$/progress"] = lambda params: steps.append(params.value)  # type: ignore[attr-defined]
    report = await asked(client, "graphwright/trace", uri, position=position_of("def step"), workDoneToken="t1")
    assert report.ok, report.error
    assert (tmp_path / "imported").exists()
    assert [trace.signature for trace in report.traces] == ["step(x: float32[4, 3])"]
    assert any("While" in node.op for node in report.graph.nodes)
    assert report.svg.startswith("<svg")
    assert report.output == "tracing now\n"
    assert "imported" in report.traces[0].cause
    told = [str(step) for step in steps]
    assert len(told) >= 5
    assert any("importing tensorflow" in each for each in told)
    assert any("tracing step" in each for each in told)
    messages = [message.message for message in client.log_messages]
    assert "step: tracing now" in messages


@pytest.mark.truth
@pytest.mark.asyncio
@pytest.mark.usefixtures("stand_in")
async def test_cancelling_ends_the_process(connect: Connect, tmp_path: Path) -> None:
    client = await connect(tmp_path, initialize=trusted)
    uri = await opened(client, tmp_path)
    params = {"textDocument": {"uri": uri}, "function": "sleep", "arguments": "x=1", "action": "run"}
    answer = asyncio.ensure_future(client.protocol.send_request_async("graphwright/trace", params, msg_id="asked"))
    process = await process_in(tmp_path)
    assert exists(process)
    client.protocol.notify("$/cancelRequest", types.CancelParams("asked"))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wait_for(answer, 20)
    assert await gone(process)


@pytest.mark.truth
@pytest.mark.asyncio
@pytest.mark.usefixtures("stand_in")
async def test_the_process_ends_with_a_server_that_is_killed(connect: Connect, tmp_path: Path) -> None:
    started_as_users_do = [sys.executable, "-I", "-m", "graphwright_server", "server", "--stdio"]
    client = await connect(tmp_path, initialize=trusted, command=started_as_users_do)
    uri = await opened(client, tmp_path)
    params = {"textDocument": {"uri": uri}, "function": "sleep", "arguments": "x=1", "action": "run"}
    client.protocol.send_request("graphwright/trace", params)
    process = await process_in(tmp_path)
    client._server.kill()  # type: ignore[union-attr]
    await client._server.wait()  # type: ignore[union-attr]
    assert await gone(process)


@pytest.mark.truth
@pytest.mark.asyncio
@pytest.mark.usefixtures("stand_in")
async def test_limits_of_time_and_memory(connect: Connect, tmp_path: Path) -> None:
    client = await connect(tmp_path, initialize=trusted)
    uri = await opened(client, tmp_path)
    late = await asked(client, "graphwright/trace", uri, function="sleep", arguments="x=1", action="run", timeout=2)
    assert (late.ok, late.error.type) == (False, "Timeout")
    assert "2 s" in late.error.message
    assert [(frame.name, frame.text) for frame in late.error.frames][-1] == ("sleep", "time.sleep(600)")
    large = await asked(client, "graphwright/trace", uri, function="grow", arguments="x=1", action="run", memory=500)
    assert (large.ok, large.error.type) == (False, "OutOfMemory")
    assert "500 MB" in large.error.message


SLOW = """\
import time

import tensorflow as tf


def helper(x):
    for _ in range(3):
        if tf.reduce_sum(x) > 0.0:
            time.sleep(600)
    return x


@DECORATOR
def step(x):
    y = x
    for _ in tf.range(3):
        y = helper(x)
    return y
"""


@pytest.mark.truth
@pytest.mark.asyncio
@pytest.mark.parametrize("converter", ["tf.function", "__import__('graphwright').function"])
async def test_a_trace_whose_time_is_over_names_the_users_lines(
    converter: str, connect: Connect, tmp_path: Path
) -> None:
    """Under AutoGraph what runs is a file of its own, which is gone when one looks for it."""
    client = await connect(tmp_path, initialize=trusted)
    file, text = tmp_path / "slow.py", SLOW.replace("DECORATOR", converter)
    file.write_text(text)
    document = types.TextDocumentItem(file.as_uri(), "python", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    report = await asked(
        client, "graphwright/trace", file.as_uri(), function="step", arguments="x=tf.ones([2])", timeout=6
    )
    error = report.error
    assert error.type == "Timeout", error.message
    assert error.message.endswith("while tracing step. It was at line 9 then.")
    assert {frame.file for frame in error.frames} == {str(file)}
    assert [(frame.line + 1, frame.name) for frame in error.frames if frame.line + 1 in (17, 9)] == [
        (17, "step"),
        (9, "helper"),
    ]
    assert error.frames[-1].text == "time.sleep(600)"
    assert "__autograph_generated_file" not in error.traceback
    assert f'File "{file}", line 17, in step' in error.traceback


PLAIN = "import tensorflow as tf\n\n\n@tf.function\ndef f(x):\n    if x > 0:\n        return x * 2\n    return x\n"
CONVERTED = PLAIN.replace("@tf", "import graphwright as gw\n@gw")
LATIN = f"# -*- coding: latin-1 -*-\n# é\n{PLAIN}"


@pytest.mark.truth
@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("text", "encoding", "file", "language"),
    [
        (PLAIN, "utf-8", "model.py", "python"),
        (CONVERTED, "utf-8", "model.py", "python"),
        (LATIN, "latin-1", "model.py", "python"),
        (PLAIN.replace("\n", "\r\n"), "utf-8-sig", "model.py", "python"),
        (PLAIN, "utf-8", "package/__init__.py", "python"),
        (PLAIN, "utf-8", "model.py", "something else"),
        (PLAIN, "", "never_saved.py", "python"),
    ],
)
async def test_what_is_not_saved_is_what_runs(
    text: str, encoding: str, file: str, language: str, connect: Connect, tmp_path: Path
) -> None:
    """AutoGraph, too, must find the lines that are in the editor, whatever is on the disk."""
    client = await connect(tmp_path, initialize=trusted)
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    if encoding:
        path.write_bytes(text.encode(encoding))
    uri = path.as_uri()
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, text)))
    change = types.TextDocumentContentChangeWholeDocument(text.replace("x * 2", "x * 100"))
    identifier = types.VersionedTextDocumentIdentifier(version=2, uri=uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
    report = await asked(client, "graphwright/trace", uri, function="f", arguments="x=3", action="run")
    assert report.ok, report.error
    assert "numpy=300" in report.result.text


DATASETS = """\
import tensorflow as tf


class Reader:
    def __init__(self, scale):
        self.scale = scale

    def scaled(self, x):
        return x * self.scale

    def data(self, size):
        return tf.data.Dataset.range(5).map(self.scaled).map(lambda x: x + size * self.scale)


if __name__ == "__main__":
    print(list(Reader(3).data(2)))
"""


@pytest.mark.truth
@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("place", "function", "given", "signature"),
    [
        ("def scaled", "Reader.scaled", "self=Reader(3), x=tf.TensorSpec([], tf.int64)", "Reader.scaled(x: int64[])"),
        ("lambda", "<lambda>@12", "self=Reader(3), size=2, x=tf.TensorSpec([], tf.int64)", "<lambda>@12(x: int64[])"),
    ],
)
async def test_what_is_given_to_datasets_is_traced_as_the_calls_say(
    place: str, function: str, given: str, signature: str, connect: Connect, tmp_path: Path
) -> None:
    client = await connect(tmp_path, initialize=trusted)
    file = tmp_path / "datasets.py"
    file.write_text(DATASETS)
    document = types.TextDocumentItem(file.as_uri(), "python", 1, DATASETS)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    before = DATASETS[: DATASETS.index(place)]
    position = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2]) + 4}
    specs = await asked(client, "graphwright/specs", file.as_uri(), position=position)
    assert (specs.function, specs.arguments) == (function, given)
    params = {"position": position, "function": specs.function, "arguments": specs.arguments}
    report = await asked(client, "graphwright/trace", file.as_uri(), **params)
    assert report.ok, report.error
    assert [trace.signature for trace in report.traces] == [signature]
    assert "Mul" in {node.op for node in report.graph.nodes} or "Add" in str(report.graph.nodes)


class Steps(list[Any]):
    """What a client is told of progress, by the kind of each record."""

    def __init__(self, client: LanguageClient) -> None:
        super().__init__()
        client.protocol.fm.features["$/progress"] = lambda params: self.append(params.value["kind"])  # type: ignore[attr-defined]


@pytest.mark.asyncio
@pytest.mark.parametrize("method", ["graphwright/specs", "graphwright/trace"])
async def test_a_document_without_a_file_says_what_to_do(method: str, connect: Connect, tmp_path: Path) -> None:
    client = await connect(tmp_path, initialize=trusted)
    steps = Steps(client)
    uri = "untitled:Untitled-1"
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, MODEL)))
    with pytest.raises(JsonRpcException, match="Save this document first"):
        await asked(client, method, uri, position=position_of("def step"), workDoneToken="t")
    assert not steps
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    assert [lens for lens in await client.text_document_code_lens_async(params) or () if _runs(lens)] == []


def _runs(lens: types.CodeLens) -> bool:
    return lens.command is not None and lens.command.title in ("Trace", "Time")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"position": {"line": 0, "character": 0}}, "There's no function here"),
        ({"function": "step", "action": "fly"}, "There is no action 'fly'"),
    ],
)
async def test_a_request_that_fails_leaves_no_progress(
    given: dict[str, Any], message: str, connect: Connect, tmp_path: Path
) -> None:
    client = await connect(tmp_path, initialize=trusted)
    uri = await opened(client, tmp_path)
    steps = Steps(client)
    with pytest.raises(JsonRpcException, match=message):
        await asked(client, "graphwright/trace", uri, workDoneToken="t", **given)
    assert steps.count("begin") == steps.count("end")


@pytest.mark.asyncio
async def test_a_bug_ends_the_progress_and_says_so(connect: Connect, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(BROKEN)
    client = await connect(tmp_path, initialize=trusted, command=[sys.executable, str(broken)])
    uri = await opened(client, tmp_path)
    steps = Steps(client)
    with pytest.raises(JsonRpcException, match="a bug in Graphwright"):
        await asked(client, "graphwright/trace", uri, function="step", arguments="", workDoneToken="t")
    assert steps == ["begin", "end"]


BROKEN = """\
from graphwright_server import agent
from graphwright_server.lsp import server


def run(job, listener, keepers):
    raise AssertionError("broken on purpose")


agent.run = run
raise SystemExit(server.serve(None, "info"))
"""
