"""The language server over its standard streams, as an editor drives it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from graphwright_analysis import DOCUMENTATION
from keras_texts import LAYER
from lsprotocol import types
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]

pytestmark = pytest.mark.asyncio

UTF8, UTF16, UTF32 = (
    types.PositionEncodingKind.Utf8,
    types.PositionEncodingKind.Utf16,
    types.PositionEncodingKind.Utf32,
)
URI = "untitled:Untitled-1"
APPENDS = """\
import tensorflow as tf


@tf.function
def collect(n: tf.Tensor):
    out = []
    for i in tf.range(n):
        out.append(i)
    return out
"""


async def test_a_finding_is_pushed_with_all_that_belongs_to_it(connect: Connect, bad: str):
    client = await connect()
    open_document(client, bad)
    published = await next_published(client)
    assert published.version == 1
    (found,) = published.diagnostics
    assert found.source == "graphwright"
    assert found.code == "undefined-in-branch"
    assert found.severity == types.DiagnosticSeverity.Error
    assert found.code_description == types.CodeDescription(f"{DOCUMENTATION}/rules/undefined-in-branch.html")
    assert found.data["rule"] == "undefined-in-branch"
    assert found.related_information
    assert {related.location.uri for related in found.related_information} == {URI}


@pytest.mark.parametrize("encoding", [UTF8, UTF16, UTF32])
async def test_columns_count_as_agreed(connect: Connect, encoding: types.PositionEncodingKind):
    client = await connect(encodings=[encoding, UTF16])
    open_document(client, APPENDS)
    (plain,) = (await next_published(client)).diagnostics
    line = plain.range.start.line
    assert APPENDS.splitlines()[line].strip() == "out.append(i)"
    emoji = "'🎉日é'; "
    insert(client, 2, line, plain.range.start.character, emoji)
    (shifted,) = (await next_published(client)).diagnostics
    assert shifted.range.start.character == plain.range.start.character + width(emoji, encoding)
    assert shifted.range.end.character == plain.range.end.character + width(emoji, encoding)
    # An edit after the emoji lands where it should: nothing is appended any more.
    change(client, 3, shifted.range, "pass")
    published = await next_published(client)
    assert (published.version, published.diagnostics) == (3, [])


async def test_the_client_s_order_of_encodings_decides(connect: Connect):
    client = await connect(encodings=["utf-7", UTF32, UTF8])
    open_document(client, "")
    await next_published(client)
    assert "positions in utf-32" in client.log_messages[0].message


async def test_the_same_file_edited_again_and_again(connect: Connect, bad: str):
    client = await connect()
    open_document(client, bad)
    assert len((await next_published(client)).diagnostics) == 1
    replace_return(client, bad, 2, "x")
    published = await next_published(client)
    assert (published.version, published.diagnostics) == (2, [])
    replace_return(client, bad, 3, "y")
    published = await next_published(client)
    assert (published.version, len(published.diagnostics)) == (3, 1)


async def test_a_burst_of_edits_ends_with_the_last(connect: Connect, bad: str):
    client = await connect()
    open_document(client, bad)
    await next_published(client)
    for version in range(2, 52):
        replace_return(client, bad, version, "xy"[version % 2])
    published = await next_published(client)
    while published.version != 51:
        published = await next_published(client)
    assert len(published.diagnostics) == 1


async def test_hover_right_behind_an_edit_sees_it(connect: Connect, bad: str):
    client = await connect()
    open_document(client, bad)
    line = bad.splitlines().index("        y = tf.constant(2.0)")
    change(client, 2, types.Range(types.Position(line, 8), types.Position(line, 9)), "renamed")
    found = await hover(client, types.Position(line, 10))
    assert found is not None
    assert found.range == types.Range(types.Position(line, 8), types.Position(line, 15))


async def test_a_fix_is_applied_and_the_file_is_clean(connect: Connect, bad: str):
    client = await connect()
    open_document(client, bad)
    (found,) = (await next_published(client)).diagnostics
    actions = await code_actions(client, found.range, diagnostics=[])
    fix = next(action for action in actions if action.kind == types.CodeActionKind.QuickFix)
    assert fix.diagnostics and fix.diagnostics[0].code == "undefined-in-branch"
    (edit,) = fix.edit.document_changes
    assert (edit.text_document.uri, edit.text_document.version) == (URI, 1)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=2, uri=URI),
            [
                types.TextDocumentContentChangePartial(range=part.range, text=part.new_text)
                for part in sorted(edit.edits, key=lambda part: start(part.range), reverse=True)
            ],
        )
    )
    published = await next_published(client)
    assert (published.version, published.diagnostics) == (2, [])


async def test_code_actions_are_for_the_text_as_it_is_now(connect: Connect, bad: str):
    client = await connect()
    open_document(client, bad)
    (found,) = (await next_published(client)).diagnostics
    replace_return(client, bad, 2, "x")
    assert await code_actions(client, found.range, diagnostics=[found]) == []


async def test_only_the_kinds_asked_for(connect: Connect, bad: str):
    client = await connect()
    open_document(client, bad)
    (found,) = (await next_published(client)).diagnostics
    fix_all = await code_actions(client, found.range, only=[types.CodeActionKind.SourceFixAll])
    assert {action.kind for action in fix_all} <= {"source.fixAll.graphwright"}
    quick = await code_actions(client, found.range, only=[types.CodeActionKind.QuickFix])
    assert quick and {action.kind for action in quick} == {types.CodeActionKind.QuickFix}
    assert await code_actions(client, found.range, only=[types.CodeActionKind.Refactor]) == []


async def test_a_client_without_versions_in_edits_gets_plain_changes(connect: Connect, bad: str):
    def plain(params: types.InitializeParams) -> None:
        params.capabilities.workspace.workspace_edit = None

    client = await connect(initialize=plain)
    open_document(client, bad)
    (found,) = (await next_published(client)).diagnostics
    action = (await code_actions(client, found.range))[0]
    assert action.edit.document_changes is None
    assert list(action.edit.changes) == [URI]


async def test_pulled_diagnostics_come_once_and_are_not_pushed(connect: Connect, bad: str):
    client = await connect(initialize=pulling)
    open_document(client, bad)
    first = await pull(client)
    assert first.kind == "full" and len(first.items) == 1
    again = await pull(client, first.result_id)
    assert (again.kind, again.result_id) == ("unchanged", first.result_id)
    replace_return(client, bad, 2, "x")
    clean = await pull(client, first.result_id)
    assert (clean.kind, clean.items) == ("full", [])
    assert client.published.empty()


async def test_configuration_is_fetched_before_the_first_answer(connect: Connect, bad: str):
    client = await connect(configuration={"ignore": ["undefined-in-branch"]})
    open_document(client, bad)
    published = await next_published(client)
    assert (published.version, published.diagnostics) == (1, [])


async def test_a_change_of_configuration_is_followed(connect: Connect, bad: str, tmp_path: Path):
    client = await connect(folder=tmp_path)
    open_document(client, bad)
    assert len((await next_published(client)).diagnostics) == 1
    client.set_configuration({"graphwright": {"severity": {"undefined-in-branch": "hint"}}})
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    (found,) = (await next_published(client)).diagnostics
    assert found.severity == types.DiagnosticSeverity.Hint


async def test_configuration_that_makes_no_sense_is_said_and_left_out(connect: Connect, bad: str):
    client = await connect(configuration={"ignore": ["nonsense"], "trace": {"server": "off"}})
    open_document(client, bad)
    assert len((await next_published(client)).diagnostics) == 1
    assert any("nonsense" in message.message for message in client.messages)


async def test_a_client_that_is_asked_nothing_may_send_its_settings(connect: Connect, bad: str):
    def without_configuration(params: types.InitializeParams) -> None:
        params.capabilities.workspace.configuration = None
        params.initialization_options = {"settings": {"ignore": ["undefined-in-branch"]}}

    client = await connect(initialize=without_configuration)
    open_document(client, bad)
    assert (await next_published(client)).diagnostics == []
    settings = {"graphwright": {"ignore": []}}
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=settings))
    assert len((await next_published(client)).diagnostics) == 1


async def test_a_changed_pyproject_brings_new_settings(connect: Connect, bad: str, tmp_path: Path):
    client = await connect(folder=tmp_path)
    uri = (tmp_path / "model.py").as_uri()
    open_document(client, bad, uri)
    assert len((await next_published(client)).diagnostics) == 1
    project = tmp_path / "pyproject.toml"
    project.write_text("[tool.graphwright]\nignore = ['undefined-in-branch']\n")
    event = types.FileEvent(project.as_uri(), types.FileChangeType.Created)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert (await next_published(client)).diagnostics == []


async def test_changed_requirements_bring_the_other_keras(connect: Connect, tmp_path: Path):
    client = await connect(folder=tmp_path)
    open_document(client, LAYER, (tmp_path / "model.py").as_uri())
    assert len((await next_published(client)).diagnostics) == 1
    requirements = tmp_path / "requirements.txt"
    for text, count in (("tensorflow<2.16", 0), ("tensorflow>=2.16", 1)):
        requirements.write_text(text)
        event = types.FileEvent(requirements.as_uri(), types.FileChangeType.Changed)
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        assert len((await next_published(client)).diagnostics) == count


async def test_it_asks_to_be_told_of_changes(connect: Connect, bad: str):
    client = await connect()
    open_document(client, bad)
    await next_published(client)
    expected = {types.WORKSPACE_DID_CHANGE_CONFIGURATION, types.WORKSPACE_DID_CHANGE_WATCHED_FILES}
    assert set(client.registered) == expected


HELPER = "import tensorflow as tf\n\n\ndef other(x):\n    return tf.cast(x, tf.float16)\n"
IMPORTER = """\
import tensorflow as tf
from helper import other


@tf.function
def f(x: tf.Tensor):
    return other(x) if tf.reduce_sum(x) > 0 else 1.0
"""


async def test_an_edit_of_an_imported_file_is_seen_where_it_is_imported(connect: Connect, tmp_path: Path):
    client = await connect(folder=tmp_path)
    user, helper = (tmp_path / "user.py").as_uri(), (tmp_path / "helper.py").as_uri()
    open_document(client, HELPER, helper)
    assert (await next_published(client)).diagnostics == []
    open_document(client, IMPORTER, user)
    published = await next_published(client)
    assert (published.uri, [found.code for found in published.diagnostics]) == (user, ["branch-dtype-mismatch"])
    line = HELPER.splitlines()[4]
    place = types.Range(types.Position(4, line.index("16")), types.Position(4, line.index("16") + 2))
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=2, uri=helper),
            [types.TextDocumentContentChangePartial(range=place, text="32")],
        )
    )
    told: dict[str, Any] = {}
    while user not in told:
        published = await next_published(client)
        told[published.uri] = published.diagnostics
    assert told == {helper: [], user: []}


LIBRARY = (
    "import tensorflow as tf\n\n\n@tf.function\ndef f(x, training):\n    if training:\n        y = x\n    return y\n"
)
CALLER = "import tensorflow as tf\nfrom library import f\n\nf(tf.constant(1.0), tf.constant(True))\n"


async def test_what_an_open_file_calls_in_another_is_told_there(connect: Connect, tmp_path: Path):
    client = await connect(folder=tmp_path)
    library, caller = (tmp_path / "library.py").as_uri(), (tmp_path / "caller.py").as_uri()

    async def told_of_library(*expected: str) -> None:
        """Wait for it: the library may be looked at more than once on the way."""
        while True:
            published = await next_published(client)
            if published.uri == library and [found.code for found in published.diagnostics] == [*expected]:
                return

    open_document(client, LIBRARY, library)
    await told_of_library()
    open_document(client, CALLER, caller)
    await told_of_library("undefined-in-branch")
    place = types.Range(types.Position(3, CALLER.splitlines()[3].index("tf.constant(True")), types.Position(3, 99))
    change = types.TextDocumentContentChangePartial(range=place, text="True)")
    identifier = types.VersionedTextDocumentIdentifier(version=2, uri=caller)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
    await told_of_library()


async def test_an_imported_file_that_is_opened_or_closed_is_seen_where_it_is_imported(connect: Connect, tmp_path: Path):
    client = await connect(folder=tmp_path)
    user, helper = (tmp_path / "user.py").as_uri(), (tmp_path / "helper.py").as_uri()

    async def told_of_user() -> list[Any]:
        while (published := await next_published(client)).uri != user:
            pass
        return [found.code for found in published.diagnostics]

    open_document(client, IMPORTER, user)
    assert await told_of_user() == []
    open_document(client, HELPER, helper)
    assert await told_of_user() == ["branch-dtype-mismatch"]
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(helper)))
    assert await told_of_user() == []


async def test_an_imported_file_that_changes_on_disk_is_seen(connect: Connect, tmp_path: Path):
    client = await connect(folder=tmp_path)
    (tmp_path / "helper.py").write_text(HELPER)
    open_document(client, IMPORTER, (tmp_path / "user.py").as_uri())
    assert len((await next_published(client)).diagnostics) == 1
    (tmp_path / "helper.py").write_text(HELPER.replace("float16", "float32"))
    event = types.FileEvent((tmp_path / "helper.py").as_uri(), types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert (await next_published(client)).diagnostics == []


async def test_each_folder_has_its_own_settings(connect: Connect, bad: str, tmp_path: Path):
    strict, lax = tmp_path / "strict", tmp_path / "lax"
    for folder in (strict, lax):
        folder.mkdir()
        (folder / "pyproject.toml").write_text("")
    (lax / "pyproject.toml").write_text("[tool.graphwright]\nignore = ['undefined-in-branch']\n")

    def two_folders(params: types.InitializeParams) -> None:
        params.workspace_folders = [types.WorkspaceFolder(path.as_uri(), path.name) for path in (strict, lax)]

    client = await connect(initialize=two_folders)
    for folder, expected in ((strict, 1), (lax, 0)):
        uri = (folder / "a.py").as_uri()
        open_document(client, bad, uri)
        published = await next_published(client)
        assert (published.uri, len(published.diagnostics)) == (uri, expected)
    removal = types.WorkspaceFoldersChangeEvent(added=[], removed=[types.WorkspaceFolder(lax.as_uri(), "lax")])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(removal))
    after = {(published := await next_published(client)).uri: len(published.diagnostics) for _ in range(2)}
    assert after == {(strict / "a.py").as_uri(): 1, (lax / "a.py").as_uri(): 1}


async def test_a_closed_document_loses_its_findings(connect: Connect, bad: str):
    client = await connect()
    open_document(client, bad)
    await next_published(client)
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(URI)))
    assert (await next_published(client)).diagnostics == []


async def test_places_that_are_not_there_and_documents_that_are_not_open(connect: Connect, bad: str):
    client = await connect()
    await hover(client, types.Position(0, 0))
    open_document(client, bad)
    await hover(client, types.Position(10_000, 0))
    await hover(client, types.Position(0, 10_000))
    change(client, 2, types.Range(types.Position(10_000, 5), types.Position(20_000, 0)), "\n# end\n")
    unknown = types.VersionedTextDocumentIdentifier(version=1, uri="file:///nowhere.py")
    client.text_document_did_change(types.DidChangeTextDocumentParams(unknown, []))
    published = await next_published(client)
    while published.version != 2:
        published = await next_published(client)
    assert len(published.diagnostics) == 1


async def test_a_cancelled_request_is_answered_as_cancelled(connect: Connect, bad: str):
    client = await connect(command=tampered("hover", "slow"))
    open_document(client, bad)
    await next_published(client)
    params = hover_params(types.Position(0, 0))
    first, second, third = (
        client.protocol.send_request("textDocument/hover", params, msg_id=name) for name in ("1st", "2nd", "3rd")
    )
    # There is one worker, so the second hasn't begun.
    client.cancel_request(types.CancelParams(id="2nd"))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wrap_future(second)
    assert not first.done()
    began = time.monotonic()
    await asyncio.wrap_future(third)
    assert time.monotonic() - began < 2.9  # two of a second each, not three


async def test_a_crash_costs_one_answer(connect: Connect, bad: str):
    client = await connect(command=tampered("hover", "crash"))
    open_document(client, bad)
    (found,) = (await next_published(client)).diagnostics
    assert await hover(client, types.Position(0, 0)) is None
    assert any("a bug in Graphwright" in message.message for message in client.log_messages)
    assert any("ZeroDivisionError" in message.message for message in client.log_messages)
    assert await code_actions(client, found.range)


async def test_a_crash_of_the_analysis_keeps_what_was_known(connect: Connect, bad: str):
    script = (
        "import graphwright_analysis as a\n"
        "check = a.Project.check\n"
        "a.Project.check = lambda self, path: 1 / 0 if 'CRASH' in self.text(path) else check(self, path)\n"
    )
    client = await connect(command=prepared(script), initialize=pulling)
    open_document(client, bad)
    first = await pull(client)
    assert len(first.items) == 1
    insert(client, 2, 0, 0, "# CRASH\n")
    assert (await pull(client, first.result_id)).kind == "unchanged"
    change(client, 3, types.Range(types.Position(0, 0), types.Position(1, 0)), "")
    assert len((await pull(client)).items) == 1


async def test_what_the_analysis_prints_does_not_garble_the_messages(connect: Connect, bad: str):
    client = await connect(command=tampered("hover", "noisy"))
    open_document(client, bad)
    await next_published(client)
    assert await hover(client, types.Position(0, 0)) is None
    assert client.error is None


async def test_a_language_that_is_not_ours_is_left_alone(connect: Connect, bad: str):
    client = await connect()
    item = types.TextDocumentItem(uri=URI, language_id="plaintext", version=1, text=bad)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    assert (await next_published(client)).diagnostics == []


def open_document(client: LanguageClient, text: str, uri: str = URI) -> None:
    item = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


def change(client: LanguageClient, version: int, place: types.Range, text: str) -> None:
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=version, uri=URI),
            [types.TextDocumentContentChangePartial(range=place, text=text)],
        )
    )


def insert(client: LanguageClient, version: int, line: int, character: int, text: str) -> None:
    place = types.Position(line, character)
    change(client, version, types.Range(place, place), text)


def replace_return(client: LanguageClient, bad: str, version: int, name: str) -> None:
    """Return another name of one letter; only with `y` is there anything to find."""
    line = bad.splitlines().index("    return y")
    change(client, version, types.Range(types.Position(line, 11), types.Position(line, 12)), name)


async def next_published(client: LanguageClient) -> types.PublishDiagnosticsParams:
    published = await asyncio.wait_for(client.published.get(), 20)
    published.diagnostics = list(published.diagnostics)
    return published


async def hover(client: LanguageClient, position: types.Position) -> types.Hover | None:
    return await client.text_document_hover_async(hover_params(position))


def hover_params(position: types.Position) -> types.HoverParams:
    return types.HoverParams(types.TextDocumentIdentifier(URI), position)


async def code_actions(client: LanguageClient, place: types.Range, only: Any = None, diagnostics: Any = ()) -> Any:
    context = types.CodeActionContext(diagnostics=list(diagnostics), only=only)
    params = types.CodeActionParams(types.TextDocumentIdentifier(URI), place, context)
    return list(await client.text_document_code_action_async(params))


async def pull(client: LanguageClient, previous: str | None = None) -> Any:
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(URI), previous_result_id=previous)
    report = await client.text_document_diagnostic_async(params)
    if report.kind == "full":
        report.items = list(report.items)
    return report


def pulling(params: types.InitializeParams) -> None:
    params.capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()


def start(place: types.Range) -> tuple[int, int]:
    return place.start.line, place.start.character


def width(text: str, encoding: types.PositionEncodingKind) -> int:
    if encoding == UTF32:
        return len(text)
    return len(text.encode("utf-8")) if encoding == UTF8 else len(text.encode("utf-16-le")) // 2


def tampered(name: str, manner: str) -> list[str]:
    """The server's command with one of the analysis' functions replaced by one that misbehaves."""
    bodies = {
        "slow": "time.sleep(1)",
        "crash": "1 / 0",
        "noisy": "print('Content-Length: 3', flush=True)",
    }
    return prepared(
        "import time\n"
        "import graphwright_analysis\n"
        f"def misbehaving(*_):\n    {bodies[manner]}\n"
        f"graphwright_analysis.{name} = misbehaving\n"
    )


def prepared(script: str) -> list[str]:
    run = "import sys\nfrom graphwright_server.cli.main import main\nsys.exit(main(['server']))\n"
    return [sys.executable, "-c", script + run]


async def test_a_file_that_is_too_long_is_told_to_be(connect: Connect, bad: str):
    client = await connect()
    open_document(client, "x = 1\n" * 50_001)
    (found,) = (await next_published(client)).diagnostics
    assert found.message == (
        "Graphwright doesn't check this file: it has 50,001 lines; files of more than 50,000 aren't checked."
    )
    assert found.severity == types.DiagnosticSeverity.Information
    document = types.TextDocumentIdentifier(URI)
    hover = await client.text_document_hover_async(types.HoverParams(document, types.Position(0, 0)))
    assert hover is None
    assert not any("a bug in Graphwright" in message.message for message in client.log_messages)
    change_document = types.VersionedTextDocumentIdentifier(version=2, uri=URI)
    whole = types.TextDocumentContentChangeWholeDocument(bad)
    client.text_document_did_change(types.DidChangeTextDocumentParams(change_document, [whole]))
    assert [each.code for each in (await next_published(client)).diagnostics] == ["undefined-in-branch"]
