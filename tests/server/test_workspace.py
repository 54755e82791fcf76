"""The diagnostics of the whole workspace: asked for, in parts, with progress, and never in the editor's way."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]

pytestmark = pytest.mark.asyncio

CLEAN = "import tensorflow as tf\n"
HELPER = "import tensorflow as tf\n\n\ndef other(x):\n    return tf.cast(x, tf.float16)\n"
IMPORTER = """\
import tensorflow as tf
from helper import other


@tf.function
def f(x: tf.Tensor):
    return other(x) if tf.reduce_sum(x) > 0 else 1.0
"""


async def test_every_file_is_told_of_once(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {"a.py": bad, "b.py": CLEAN, "in/c.py": bad, ".venv/d.py": bad, "e.txt": bad})
    client = await connect(folder=tmp_path, initialize=pulling)
    first = await pull(client)
    assert names(first) == {"a.py": 1, "c.py": 1}
    # What is as it was is said to be so, and what has changed is told.
    (tmp_path / "a.py").write_text(CLEAN)
    second = await pull(client, first)
    assert {name_of(report): report.kind for report in second} == {"a.py": "full", "c.py": "unchanged"}
    assert names(second) == {"a.py": 0}


async def test_what_is_excluded_or_deleted_is_taken_back(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {"a.py": bad, "gen/b.py": bad, "c.py": bad})
    client = await connect(folder=tmp_path, initialize=pulling)
    first = await pull(client)
    assert names(first) == {"a.py": 1, "b.py": 1, "c.py": 1}
    write(tmp_path, {"pyproject.toml": "[tool.graphwright]\nexclude = ['gen']\n"})
    (tmp_path / "c.py").unlink()
    tell(client, tmp_path / "pyproject.toml", types.FileChangeType.Created)
    tell(client, tmp_path / "c.py", types.FileChangeType.Deleted)
    await asyncio.sleep(0.5)
    assert names(await pull(client, first)) == {"b.py": 0, "c.py": 0}


async def test_an_open_document_counts_instead_of_its_file(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {"helper.py": HELPER, "user.py": IMPORTER, "other.py": bad})
    client = await connect(folder=tmp_path, initialize=pulling)
    first = await pull(client)
    assert names(first) == {"user.py": 1, "other.py": 1}
    item = types.TextDocumentItem((tmp_path / "helper.py").as_uri(), "python", 7, HELPER.replace("16", "32"))
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    second = await pull(client, first)
    assert names(second) == {"user.py": 0}
    close = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(item.uri))
    client.text_document_did_close(close)
    assert names(await pull(client, second)) == {"user.py": 1}


LIBRARY = "import tensorflow as tf\n\n\n@tf.function\ndef half(x):\n    if x > 0:\n        y = x / 2\n    return y\n"
PROGRAM = "import tensorflow as tf\nfrom library import half\n\nhalf({x})\n"


async def test_what_one_file_calls_in_another_is_told_there(connect: Connect, tmp_path: Path):
    # The caller comes first in the order of the folder once, and last once.
    for name in ("a.py", "z.py"):
        folder = tmp_path / name[0]
        write(folder, {"library.py": LIBRARY, name: PROGRAM.format(x="tf.constant(1.0)")})
        client = await connect(folder=folder, initialize=pulling)
        first = await pull(client)
        assert names(first) == {"library.py": 1}
        write(folder, {name: PROGRAM.format(x="1.0")})
        second = await pull(client, first)
        assert names(second) == {"library.py": 0}
        write(folder, {name: PROGRAM.format(x="tf.constant([1.0])[0]")})
        third = await pull(client, second)
        assert names(third) == {"library.py": 1}
        (folder / name).unlink()
        tell(client, folder / name, types.FileChangeType.Deleted)
        await asyncio.sleep(0.5)
        assert names(await pull(client, third)) == {"library.py": 0}


async def test_what_was_told_while_others_werent_checked_yet_is_taken_back(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {"bad.py": bad, "library.py": LIBRARY, "program.py": PROGRAM.format(x="tf.constant(1.0)")})
    client = await connect(folder=tmp_path, initialize=pulling)
    assert names(await pull(client)) == {"bad.py": 1, "library.py": 1}
    # The library comes first, and is told of as the old program calls it; clients may have nothing from before.
    write(tmp_path, {"library.py": f"# half\n{LIBRARY}", "program.py": PROGRAM.format(x="1.0")})
    assert names(await pull(client)) == {"bad.py": 1, "library.py": 0}


UNUSED = """\
import tensorflow as tf


@tf.function
def f(x):
    return x  # graphwright: allow[print-at-trace]


f(tf.constant(1.0))
"""


async def test_a_comment_counts_as_unused_only_while_nobody_imports_its_file(connect: Connect, tmp_path: Path):
    write(tmp_path, {"used.py": UNUSED, "user.py": CLEAN})
    client = await connect(folder=tmp_path, initialize=pulling)
    first = await pull(client)
    assert names(first) == {"used.py": 1}
    write(tmp_path, {"user.py": "import used\n"})
    second = await pull(client, first)
    assert names(second) == {"used.py": 0}
    write(tmp_path, {"user.py": CLEAN})
    assert names(await pull(client, second)) == {"used.py": 1}


async def test_a_file_that_comes_concerns_only_who_imports_it(connect: Connect, bad: str, tmp_path: Path):
    importer = IMPORTER.replace("from helper", "from m_helper")
    write(tmp_path, {"m_user.py": importer, **{f"m{number}.py": bad for number in range(5)}})
    done = tmp_path / "checked.txt"
    client = await connect(folder=tmp_path, initialize=pulling, command=slow(0.0, done))
    first = await pull(client)
    assert names(first) == {f"m{number}.py": 1 for number in range(5)}
    done.unlink()
    write(tmp_path, {"m_helper.py": HELPER})
    tell(client, tmp_path / "m_helper.py", types.FileChangeType.Created)
    await asyncio.sleep(0.5)
    assert names(await pull(client, first)) == {"m_user.py": 1}
    assert {Path(line).name for line in done.read_text().splitlines()} == {"m_helper.py", "m_user.py"}


@pytest.mark.thorough
async def test_parts_come_as_they_are_found_with_progress(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {f"m{number:03}.py": bad.replace("clip", f"clip{number}") for number in range(120)})
    client = await connect(folder=tmp_path, initialize=pulling, command=slow(0.02))
    parts: list[Any] = []
    bars: list[Any] = []

    def progress(params: types.ProgressParams) -> None:
        (parts if params.token == "parts" else bars).append(params.value)

    client.protocol.fm.features[types.PROGRESS] = progress
    rest = await ask(client, partial_result_token="parts", work_done_token="bar")
    assert len(parts) > 1
    told = [item["uri"] for part in parts for item in part["items"]] + [item.uri for item in rest.items]
    assert sorted(told) == sorted(path.as_uri() for path in tmp_path.glob("*.py"))
    assert [bar["kind"] for bar in bars] == ["begin", *["report"] * (len(bars) - 2), "end"]
    assert bars[0]["message"] == "0/120 files" and bars[0]["cancellable"]
    assert 0 < bars[-2]["percentage"] < 100


@pytest.mark.thorough
async def test_a_cancelled_request_stops_between_two_files(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {f"m{number:03}.py": bad for number in range(40)})
    done = tmp_path / "checked.txt"
    client = await connect(folder=tmp_path, initialize=pulling, command=slow(0.1, done))
    params = types.WorkspaceDiagnosticParams(previous_result_ids=[])
    asked = client.protocol.send_request("workspace/diagnostic", params, msg_id="whole")
    while not done.exists():
        await asyncio.sleep(0.1)
    client.cancel_request(types.CancelParams(id="whole"))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wrap_future(asked)
    await asyncio.sleep(0.5)
    stopped = len(done.read_text().splitlines())
    await asyncio.sleep(0.5)
    assert stopped == len(done.read_text().splitlines()) < 40
    assert len(names((await ask(client)).items)) == 40


@pytest.mark.thorough
async def test_an_edit_goes_before_the_workspace(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {f"m{number:03}.py": bad for number in range(40)})
    client = await connect(folder=tmp_path, initialize=pulling, command=slow(0.1))
    params = types.WorkspaceDiagnosticParams(previous_result_ids=[])
    asked = client.protocol.send_request("workspace/diagnostic", params)
    await asyncio.sleep(0.5)
    began = time.monotonic()
    item = types.TextDocumentItem("untitled:Untitled-1", "python", 1, bad)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    identifier = types.TextDocumentIdentifier(item.uri)
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(identifier))
    assert len(report.items) == 1
    assert time.monotonic() - began < 1.5
    assert not asked.done()
    await asyncio.wrap_future(asked)


async def test_with_nothing_to_tell_it_waits_for_a_change(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {"a.py": CLEAN})
    client = await connect(folder=tmp_path, initialize=pulling)
    assert list((await ask(client)).items) == []
    waiting = asyncio.ensure_future(ask(client))
    await asyncio.sleep(1)
    assert not waiting.done()
    write(tmp_path, {"b.py": bad})
    tell(client, tmp_path / "b.py", types.FileChangeType.Created)
    assert names((await asyncio.wait_for(waiting, 20)).items) == {"b.py": 1}


async def test_the_user_may_give_it_up_at_its_bar(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {f"m{number:03}.py": bad for number in range(200)})

    def able(params: types.InitializeParams) -> None:
        pulling(params)
        params.capabilities.window = types.WindowClientCapabilities(work_done_progress=True)

    client = await connect(folder=tmp_path, initialize=able, command=slow(0.1))
    shown: asyncio.Queue[Any] = asyncio.Queue()
    client.protocol.fm.features[types.WINDOW_WORK_DONE_PROGRESS_CREATE] = lambda params: None
    client.protocol.fm.features[types.PROGRESS] = lambda params: shown.put_nowait(params.token)
    asked = asyncio.ensure_future(ask(client))
    token = await asyncio.wait_for(shown.get(), 20)
    client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    assert 0 < len(list((await asked).items)) < 200


async def test_each_of_several_folders_has_its_own_settings(connect: Connect, bad: str, tmp_path: Path):
    lax = "[tool.graphwright]\nignore = ['undefined-in-branch']\n"
    write(tmp_path, {"outer/a.py": bad, "outer/inner/b.py": bad, "outer/inner/pyproject.toml": lax, "c/c.py": bad})

    def several(params: types.InitializeParams) -> None:
        pulling(params)
        folders = (tmp_path / "outer", tmp_path / "outer" / "inner", tmp_path / "c", tmp_path / "missing")
        params.workspace_folders = [types.WorkspaceFolder(path.as_uri(), path.name) for path in folders]

    client = await connect(initialize=several)
    first = await pull(client)
    assert names(first) == {"a.py": 1, "c.py": 1}
    gone = [types.WorkspaceFolder((tmp_path / "outer" / "inner").as_uri(), "inner")]
    event = types.WorkspaceFoldersChangeEvent(added=[], removed=gone)
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    # The settings in it apply to its files all the same.
    (tmp_path / "outer" / "inner" / "pyproject.toml").unlink()
    tell(client, tmp_path / "outer" / "inner" / "pyproject.toml", types.FileChangeType.Deleted)
    assert names(await pull(client, first)) == {"b.py": 1}


async def test_open_files_only_unless_the_user_wants_more(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {"a.py": bad})

    def able(params: types.InitializeParams) -> None:
        pulling(params)
        params.capabilities.text_document.diagnostic.dynamic_registration = True

    client = await connect(folder=tmp_path, initialize=able, configuration={})
    registered: asyncio.Queue[bool] = asyncio.Queue()
    client.protocol.fm.features.pop(types.CLIENT_REGISTER_CAPABILITY)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        for item in params.registrations:
            if item.method == types.TEXT_DOCUMENT_DIAGNOSTIC:
                registered.put_nowait(item.register_options["workspaceDiagnostics"])

    @client.feature(types.CLIENT_UNREGISTER_CAPABILITY)
    def unregister(params: types.UnregistrationParams) -> None: ...

    assert await asyncio.wait_for(registered.get(), 20) is False
    assert names((await ask(client)).items) == {}
    client.set_configuration({"graphwright": {"diagnosticMode": "workspace"}})
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    assert await asyncio.wait_for(registered.get(), 20) is True
    assert names((await ask(client)).items) == {"a.py": 1}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def tell(client: LanguageClient, path: Path, kind: types.FileChangeType) -> None:
    events = [types.FileEvent(path.as_uri(), kind)]
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))


async def pull(client: LanguageClient, previous: list[Any] | None = None) -> list[Any]:
    known = [types.PreviousResultId(report.uri, report.result_id) for report in previous or () if report.result_id]
    return list((await ask(client, known)).items)


async def ask(client: LanguageClient, previous: Any = (), **tokens: Any) -> types.WorkspaceDiagnosticReport:
    params = types.WorkspaceDiagnosticParams(previous_result_ids=list(previous), **tokens)
    return await asyncio.wait_for(client.workspace_diagnostic_async(params), 60)


def names(reports: Any) -> dict[str, int]:
    """How many findings are told of each file."""
    full = [report for report in reports if report.kind == "full"]
    return {name_of(report): len(report.items) for report in full}


def name_of(report: Any) -> str:
    return report.uri.rpartition("/")[2]


def pulling(params: types.InitializeParams) -> None:
    params.capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()


def slow(seconds: float, log: Path | None = None) -> list[str]:
    """A server that takes its time for each file, and may note it."""
    note = f"open({str(log)!r}, 'a').write(key + chr(10))" if log else "None"
    script = f"""
import sys, time
from graphwright_server.lsp.checking_process import CheckingProcess
check = CheckingProcess.check
def slowly(self, root, settings, key, *rest):
    if '/m' in key:
        time.sleep({seconds})
        {note}
    return check(self, root, settings, key, *rest)
CheckingProcess.check = slowly
from graphwright_server.cli.main import main
sys.exit(main(['server']))
"""
    return [sys.executable, "-c", script]


WRONG = "[project]\nname = 'x'\n\n[tool.graphwright]\nignore = ['undefined-in-brunch']\n"
IGNORES = "[tool.graphwright]\nignore = ['undefined-in-branch']\n"


async def test_wrong_settings_are_told_where_they_stand(connect: Connect, bad: str, tmp_path: Path):
    settings = tmp_path / "pyproject.toml"
    settings.write_text(WRONG)
    client = await connect(folder=tmp_path)
    open_document(client, tmp_path / "a.py", bad)
    told = {published.uri: published for published in [await next_published(client) for _ in range(2)]}
    assert len(told[(tmp_path / "a.py").as_uri()].diagnostics) == 1
    (found,) = told[settings.as_uri()].diagnostics
    assert "did you mean `undefined-in-branch`" in found.message
    assert found.range == types.Range(types.Position(4, 11), types.Position(4, 30))
    settings.write_text(WRONG.replace("brunch", "branch"))
    tell(client, settings, types.FileChangeType.Changed)
    told = {published.uri: published for published in [await next_published(client) for _ in range(2)]}
    assert {len(published.diagnostics) for published in told.values()} == {0} and len(told) == 2


@pytest.mark.parametrize("wrong", ["tool = 5\n", "tool = []\n", "[tool]\ngraphwright = 5\n"])
async def test_settings_of_another_kind_cost_no_findings(wrong: str, connect: Connect, bad: str, tmp_path: Path):
    settings = tmp_path / "pyproject.toml"
    settings.write_text(wrong)
    client = await connect(folder=tmp_path)
    uri = (tmp_path / "a.py").as_uri()
    open_document(client, tmp_path / "a.py", bad)
    published = [await next_published(client) for _ in range(2)]
    told = {each.uri: each.diagnostics for each in published}
    assert len(told[uri]) == 1
    assert "is not a table" in told[settings.as_uri()][0].message


async def test_settings_are_followed_while_they_are_typed(connect: Connect, bad: str, tmp_path: Path):
    settings = tmp_path / "pyproject.toml"
    settings.write_text("[tool.graphwright]\n")
    client = await connect(folder=tmp_path)
    open_document(client, tmp_path / "a.py", bad)
    assert len((await next_published(client)).diagnostics) == 1
    open_document(client, settings, "[tool.graphwright]\n", "toml")
    await next_published(client)
    change(client, settings, 2, IGNORES)
    published = await next_published(client)
    assert (published.uri, published.diagnostics) == ((tmp_path / "a.py").as_uri(), [])
    # What is half typed is told of there, and the last good settings hold on.
    change(client, settings, 3, IGNORES[:-2])
    told = {published.uri: published.diagnostics for published in [await next_published(client) for _ in range(2)]}
    assert told[(tmp_path / "a.py").as_uri()] == []
    assert told[settings.as_uri()][0].message.startswith("can't be read")
    # Closed without saving, the file counts again.
    gone = types.TextDocumentIdentifier(settings.as_uri())
    client.text_document_did_close(types.DidCloseTextDocumentParams(gone))
    told = {published.uri: published.diagnostics for published in [await next_published(client) for _ in range(2)]}
    assert len(told[(tmp_path / "a.py").as_uri()]) == 1 and told[settings.as_uri()] == []
    assert not client.messages


async def test_a_thousand_changes_on_disk_are_one(connect: Connect, bad: str, tmp_path: Path):
    client = await connect(folder=tmp_path)
    open_document(client, tmp_path / "a.py", bad)
    await next_published(client)
    for number in range(10):
        events = [
            types.FileEvent((tmp_path / f"f{number}_{each}.py").as_uri(), types.FileChangeType.Created)
            for each in range(100)
        ]
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
    await next_published(client)
    await asyncio.sleep(1)
    assert client.published.empty()


async def test_a_file_that_is_deleted_while_open_stays_as_it_is_in_the_editor(
    connect: Connect, bad: str, tmp_path: Path
):
    write(tmp_path, {"a.py": bad})
    client = await connect(folder=tmp_path, initialize=pulling)
    open_document(client, tmp_path / "a.py", bad)
    (tmp_path / "a.py").unlink()
    tell(client, tmp_path / "a.py", types.FileChangeType.Deleted)
    identifier = types.TextDocumentIdentifier((tmp_path / "a.py").as_uri())
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(identifier))
    assert len(report.items) == 1


def open_document(client: LanguageClient, path: Path, text: str, language: str = "python") -> None:
    item = types.TextDocumentItem(path.as_uri(), language, 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


def change(client: LanguageClient, path: Path, version: int, text: str) -> None:
    identifier = types.VersionedTextDocumentIdentifier(version=version, uri=path.as_uri())
    whole = types.TextDocumentContentChangeWholeDocument(text)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))


async def next_published(client: LanguageClient) -> types.PublishDiagnosticsParams:
    published = await asyncio.wait_for(client.published.get(), 20)
    published.diagnostics = list(published.diagnostics)
    return published


BASELINE = """{"version": 1, "findings": [
    {"file": "a.py", "function": "clip", "rule": "undefined-in-branch", "line": "if tf.reduce_sum(x) > 0:", "count": 1}
]}
"""


async def test_what_the_baseline_has_isnt_shown(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {"a.py": bad, "b.py": bad, "known-baseline.json": BASELINE})
    (tmp_path / "pyproject.toml").write_text("[tool.graphwright]\nbaseline = 'known-baseline.json'\n")
    client = await connect(folder=tmp_path)
    open_document(client, tmp_path / "a.py", bad)
    assert (await next_published(client)).diagnostics == []
    open_document(client, tmp_path / "b.py", bad)
    published = {each.uri: each.diagnostics for each in [await next_published(client)]}
    assert len(published[(tmp_path / "b.py").as_uri()]) == 1
    change(client, tmp_path / "a.py", 2, bad.replace("def clip", "def other"))
    assert len((await next_published(client)).diagnostics) == 1


async def test_what_the_baseline_has_isnt_shown_of_closed_files(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {"a.py": bad, "b.py": bad, "known-baseline.json": BASELINE})
    (tmp_path / "pyproject.toml").write_text("[tool.graphwright]\nbaseline = 'known-baseline.json'\n")
    client = await connect(folder=tmp_path, initialize=pulling)
    first = await pull(client)
    assert names(first) == {"b.py": 1}
    (tmp_path / "known-baseline.json").write_text(BASELINE.replace("a.py", "b.py"))
    tell(client, tmp_path / "known-baseline.json", types.FileChangeType.Changed)
    assert names(await pull(client, first)) == {"a.py": 1, "b.py": 0}


async def test_folders_have_settings_of_their_own(connect: Connect, bad: str, tmp_path: Path):
    write(tmp_path, {"pkg/a.py": bad, "pkg/pyproject.toml": IGNORES, "b.py": bad})
    (tmp_path / "pyproject.toml").write_text("[tool.graphwright]\n")
    client = await connect(folder=tmp_path)
    open_document(client, tmp_path / "pkg" / "a.py", bad)
    assert (await next_published(client)).diagnostics == []
    wrong = IGNORES.replace("ignore", "ignor")
    (tmp_path / "pkg" / "pyproject.toml").write_text(wrong)
    tell(client, tmp_path / "pkg" / "pyproject.toml", types.FileChangeType.Changed)
    told = {each.uri: each.diagnostics for each in [await next_published(client) for _ in range(2)]}
    assert len(told[(tmp_path / "pkg" / "a.py").as_uri()]) == 1
    assert "did you mean `ignore`" in told[(tmp_path / "pkg" / "pyproject.toml").as_uri()][0].message
