"""What files that nobody has open call in one that is: told and shown there, and renewed when anything changes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from graphwright_analysis import Cancelled, Diagnostic, LineIndex, Project, Settings
from graphwright_server.lsp.documents import Document
from graphwright_server.lsp.handlers import diagnostics
from lsprotocol import types
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]

pytestmark = pytest.mark.asyncio

LIBRARY = """\
import tensorflow as tf


@tf.function
def scaled(x, training):
    if training:
        y = x * 2.0
    return y
"""
PROGRAM = """\
import tensorflow as tf
from library import scaled


def main():
    print(scaled(tf.constant(1.0), {flag}))


main()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "library.py").write_text(LIBRARY)
    (tmp_path / "program.py").write_text(PROGRAM.format(flag="tf.constant(True)"))
    return tmp_path


async def test_a_call_in_a_closed_file_is_told_where_it_leads(connect: Connect, folder: Path):
    client = await connect(folder=folder)
    opened(client, folder / "library.py")
    (found,) = await told(client, lambda found: bool(found))
    assert found.code == "undefined-in-branch" and found.range.start.line == 5
    calls = [each for each in found.related_information or () if "is called here" in each.message]
    assert [(each.message, each.location.range.start.line) for each in calls] == [
        ("`scaled` is called here", 5),
        ("`main` is called here", 8),
    ]
    assert {each.location.uri for each in calls} == {(folder / "program.py").as_uri()}


async def test_a_closed_file_that_changes_is_looked_at_again(connect: Connect, folder: Path):
    client = await connect(folder=folder)
    opened(client, folder / "library.py")
    await told(client, lambda found: bool(found))
    (folder / "program.py").write_text(PROGRAM.format(flag="True"))
    changed_on_disk(client, folder / "program.py", types.FileChangeType.Changed)
    await told(client, lambda found: not found)
    (folder / "other.py").write_text(PROGRAM.format(flag="tf.constant(False)"))
    changed_on_disk(client, folder / "other.py", types.FileChangeType.Created)
    (found,) = await told(client, lambda found: bool(found))
    assert (found.related_information or [])[-1].location.uri == (folder / "other.py").as_uri()
    (folder / "other.py").unlink()
    changed_on_disk(client, folder / "other.py", types.FileChangeType.Deleted)
    await told(client, lambda found: not found)


async def test_an_edit_is_judged_by_those_calls_again(connect: Connect, folder: Path):
    client = await connect(folder=folder)
    path = folder / "library.py"
    opened(client, path)
    await told(client, lambda found: bool(found))
    edited(client, path, LIBRARY.replace("    return y", "    else:\n        y = x\n    return y"), 2)
    await told(client, lambda found: not found)
    edited(client, path, LIBRARY, 3)
    await told(client, lambda found: bool(found))
    # Where nothing of the function changes, what was found stays while somebody types.
    edited(client, path, LIBRARY + "\n\nz = 1\n", 4)
    report = await asyncio.wait_for(client.published.get(), 10)  # type: ignore[attr-defined]
    assert report.version == 4 and len(report.diagnostics) == 1


async def test_hints_show_what_those_calls_give(connect: Connect, folder: Path):
    client = await connect(folder=folder)
    opened(client, folder / "library.py")
    await told(client, lambda found: bool(found))
    assert await hints(client, folder / "library.py") == [": float32[]", ": bool[]", "graph", ": float32[]"]
    # They are there again with the next letter, not only after a pause.
    edited(client, folder / "library.py", LIBRARY.replace("2.0", "3.0"), 2)
    assert await hints(client, folder / "library.py") == [": float32[]", ": bool[]", "graph", ": float32[]"]


async def test_a_file_that_is_opened_counts_as_it_is_there(connect: Connect, folder: Path):
    client = await connect(folder=folder)
    opened(client, folder / "library.py")
    await told(client, lambda found: bool(found))
    text = PROGRAM.format(flag="True")
    item = types.TextDocumentItem((folder / "program.py").as_uri(), "python", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await told(client, lambda found: not found)
    identifier = types.TextDocumentIdentifier(item.uri)
    client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
    await told(client, lambda found: bool(found))


async def test_an_edit_of_a_third_file_is_told_though_a_hover_comes_first(connect: Connect, folder: Path):
    client = await connect(folder=folder)
    flags, library = folder / "flags.py", folder / "library.py"
    flags.write_text("import tensorflow as tf\n\nFLAG = tf.constant(True)\n")
    (folder / "program.py").write_text(
        PROGRAM.format(flag="FLAG").replace("\n\n\n", "\nfrom flags import FLAG\n\n\n", 1)
    )
    for path in (flags, folder / "program.py", library):
        opened(client, path)
    await told(client, lambda found: bool(found))
    edited(client, flags, "FLAG = True\n", 2)
    place = types.Position(4, 13)
    await client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(library.as_uri()), place))
    report = await asyncio.wait_for(client.published.get(), 10)  # type: ignore[attr-defined]
    while report.uri != library.as_uri() or report.diagnostics:
        report = await asyncio.wait_for(client.published.get(), 10)  # type: ignore[attr-defined]


async def test_an_edit_interrupts_the_check_of_an_older_text(tmp_path: Path):
    """The edit comes while the analysis is at work, which asks from time to time whether to go on."""
    path, ended = tmp_path / "model.py", list[str]()
    older, newer = (Document(path.as_uri(), str(path), version, True, LineIndex("x = 1\n")) for version in (1, 2))

    class Edited(Project):
        def check(self, path: str) -> tuple[Diagnostic, ...]:
            self.sources.check_cancelled()
            session.snapshot = SimpleNamespace(documents={newer.uri: newer}, notebooks={})
            try:
                self.sources.check_cancelled()
            except Cancelled:
                ended.append("abandoned")
                raise
            return ()

    def look(snapshot: object, document: Document, question: Callable[..., object]) -> object:
        return question(Edited(tmp_path, Settings()), document, SimpleNamespace(diagnostics=list))

    worker = SimpleNamespace(in_loop=lambda *_: ended.append("published"))
    snapshot = SimpleNamespace(documents={older.uri: older}, notebooks={})
    session: Any = SimpleNamespace(snapshot=snapshot, look=look, worker=worker)
    diagnostics._push(session, older.uri)
    assert ended == ["abandoned"]


def opened(client: LanguageClient, path: Path) -> None:
    item = types.TextDocumentItem(path.as_uri(), "python", 1, path.read_text())
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


def edited(client: LanguageClient, path: Path, text: str, version: int) -> None:
    whole = types.TextDocumentContentChangeWholeDocument(text)
    identifier = types.VersionedTextDocumentIdentifier(version, path.as_uri())
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))


def changed_on_disk(client: LanguageClient, path: Path, kind: types.FileChangeType) -> None:
    change = types.FileEvent(path.as_uri(), kind)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))


async def told(
    client: LanguageClient, wanted: Callable[[list[types.Diagnostic]], bool], name: str = "library.py"
) -> list[types.Diagnostic]:
    """The first report of the library that is as it is wanted; those before it may have come too early."""

    async def reported() -> list[types.Diagnostic]:
        while True:
            report = await client.published.get()  # type: ignore[attr-defined]
            if report.uri.endswith(name) and wanted(report.diagnostics):
                return report.diagnostics

    return await asyncio.wait_for(reported(), 15)


async def hints(client: LanguageClient, path: Path) -> list[str]:
    span = types.Range(types.Position(0, 0), types.Position(50, 0))
    params = types.InlayHintParams(types.TextDocumentIdentifier(path.as_uri()), span)
    found = await client.text_document_inlay_hint_async(params)
    return [hint.label for hint in found or () if isinstance(hint.label, str)]
