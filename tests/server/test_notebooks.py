"""Notebooks: the cells are one program, and what is said is said in the cell that it is about."""

from __future__ import annotations

import asyncio
import random
import textwrap
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]

pytestmark = pytest.mark.asyncio

NOTEBOOK = "file:///work/nb.ipynb"
IMPORTS = "import tensorflow as tf"
HELPER = "def other(x):\n    return tf.cast(x, tf.float16)"
USER = "@tf.function\ndef f(x: tf.Tensor):\n    return other(x) if tf.reduce_sum(x) > 0 else 1.0"
CLIP = """\
@tf.function
def clip(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = tf.constant(2.0)
    return y"""
APPENDS = """\
@tf.function
def collect(n: tf.Tensor):
    out = []
    for i in tf.range(n):
        out.append(i)
    return out"""
UTF8, UTF16, UTF32 = (
    types.PositionEncodingKind.Utf8,
    types.PositionEncodingKind.Utf16,
    types.PositionEncodingKind.Utf32,
)


class Notebook:
    """A notebook as a client holds it; each cell has a name of its own for good."""

    def __init__(self, client: LanguageClient, uri: str = NOTEBOOK) -> None:
        self.client = client
        self.uri = uri
        self.version = 1
        self.names: list[str] = []
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}

    def cell(self, name: str) -> str:
        return f"vscode-notebook-cell:{self.uri.removeprefix('file:')}#{name}"

    def open(self, cells: Sequence[str | tuple[str, str]]) -> None:
        new = [self._new(index, cell) for index, cell in enumerate(cells)]
        self.names = [name for name, _ in new]
        self.client.notebook_document_did_open(
            types.DidOpenNotebookDocumentParams(
                types.NotebookDocument(self.uri, "jupyter-notebook", 1, [self._entry(name) for name in self.names]),
                [item for _, item in new],
            )
        )

    def edit(self, name: str, changes: list[types.TextDocumentContentChangeEvent], text: str) -> None:
        self.texts[name] = text
        self.versions[name] += 1
        identifier = types.VersionedTextDocumentIdentifier(version=self.versions[name], uri=self.cell(name))
        content = types.NotebookDocumentCellContentChanges(identifier, changes)
        self._change(types.NotebookDocumentCellChanges(text_content=[content]))

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace what occurs once on one line without odd characters before it."""
        at = self.texts[name].index(old)
        before = self.texts[name][:at]
        line, column = before.count("\n"), at - (before.rfind("\n") + 1)
        place = types.Range(types.Position(line, column), types.Position(line, column + len(old)))
        text = self.texts[name].replace(old, new, 1)
        self.edit(name, [types.TextDocumentContentChangePartial(range=place, text=new)], text)

    def splice(
        self, start: int, removed: int, put: Sequence[str | tuple[str, str]] = (), back: Sequence[str] = ()
    ) -> None:
        """Take cells away, and put in new ones or such as were taken away just now."""
        new = [self._new(len(self.versions), cell) for cell in put]
        names = [*back, *(name for name, _ in new)]
        gone = [name for name in self.names[start : start + removed] if name not in back]
        self.names[start : start + removed] = names
        array = types.NotebookCellArrayChange(start, removed, [self._entry(name) for name in names])
        structure = types.NotebookDocumentCellChangeStructure(
            array, [item for _, item in new], [types.TextDocumentIdentifier(self.cell(name)) for name in gone]
        )
        self._change(types.NotebookDocumentCellChanges(structure=structure))

    def close(self) -> None:
        self.client.notebook_document_did_close(
            types.DidCloseNotebookDocumentParams(
                types.NotebookDocumentIdentifier(self.uri),
                [types.TextDocumentIdentifier(self.cell(name)) for name in self.names],
            )
        )

    def _new(self, index: int, cell: str | tuple[str, str]) -> tuple[str, types.TextDocumentItem]:
        text, language = cell if isinstance(cell, tuple) else (cell, "python")
        name = f"c{index}" if language == "python" else f"m{index}"
        self.texts[name], self.versions[name] = text, 1
        return name, types.TextDocumentItem(uri=self.cell(name), language_id=language, version=1, text=text)

    def _entry(self, name: str) -> types.NotebookCell:
        kind = types.NotebookCellKind.Markup if name[0] == "m" else types.NotebookCellKind.Code
        return types.NotebookCell(kind, self.cell(name))

    def _change(self, cells: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        self.client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(
                types.VersionedNotebookDocumentIdentifier(version=self.version, uri=self.uri),
                types.NotebookDocumentChangeEvent(cells=cells),
            )
        )

    async def told(self, count: int) -> dict[str, list[types.Diagnostic]]:
        """The next so many reports, by the cell's name."""
        published = [await asyncio.wait_for(self.client.published.get(), 20) for _ in range(count)]
        return {report.uri.partition("#")[2]: list(report.diagnostics) for report in published}

    async def rules(self, count: int) -> dict[str, list[int | str | None]]:
        return {name: [found.code for found in items] for name, items in (await self.told(count)).items()}


def notebooks(params: types.InitializeParams) -> None:
    params.capabilities.notebook_document = types.NotebookDocumentClientCapabilities(
        types.NotebookDocumentSyncClientCapabilities()
    )


def pulling(params: types.InitializeParams) -> None:
    notebooks(params)
    params.capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()


async def test_a_cell_knows_the_cells_before_it(connect: Connect):
    client = await connect(initialize=notebooks)
    book = Notebook(client)
    book.open([IMPORTS, ("# Title", "markdown"), HELPER, USER])
    assert await book.rules(3) == {"c0": [], "c2": [], "c3": ["branch-dtype-mismatch"]}
    book.replace("c2", "16", "32")
    assert await book.rules(2) == {"c2": [], "c3": []}


async def test_places_are_the_cell_s_own(connect: Connect):
    client = await connect(initialize=notebooks)
    book = Notebook(client)
    book.open([IMPORTS, CLIP])
    (found,) = (await book.told(2))["c1"]
    assert (found.range.start.line, found.range.start.character) == (2, 7)
    assert {related.location.uri for related in found.related_information} == {book.cell("c1")}


@pytest.mark.parametrize("encoding", [UTF8, UTF16, UTF32])
async def test_columns_count_as_agreed_behind_odd_characters_and_magics(
    connect: Connect, encoding: types.PositionEncodingKind
):
    client = await connect(initialize=notebooks, encodings=[encoding, UTF16])
    book = Notebook(client)
    emoji = "'🎉日é'; "
    appends = APPENDS.replace("\n", "\r\n").replace("    ", "\t")
    behind = appends.replace("collect", "gather").replace("out.app", f"{emoji}out.app")
    book.open([f"%time {emoji}\r\n!echo {emoji}\r\n{IMPORTS}\r\n", appends, behind])
    told = await book.told(3)
    (plain,), (shifted,) = told["c1"], told["c2"]
    width = {UTF8: 4 + 3 + 2, UTF16: 2 + 1 + 1, UTF32: 3}[encoding] + 4
    assert plain.range.start == types.Position(4, 2)
    assert shifted.range.start == types.Position(4, 2 + width)
    # An edit after it lands where it should: nothing is appended any more.
    change = types.TextDocumentContentChangePartial(range=shifted.range, text="pass")
    book.edit("c2", [change], behind.replace("out.append(i)", "pass"))
    assert (await book.told(1)) == {"c2": []}


async def test_hover_and_fixes_are_the_cell_s(connect: Connect):
    client = await connect(initialize=notebooks)
    book = Notebook(client)
    book.open([IMPORTS, CLIP, CLIP.replace("clip", "clop")])
    told = await book.told(3)
    here = types.TextDocumentIdentifier(book.cell("c2"))
    hover = await client.text_document_hover_async(types.HoverParams(here, types.Position(3, 8)))
    assert hover.range == types.Range(types.Position(3, 8), types.Position(3, 9))
    context = types.CodeActionContext(diagnostics=[])
    actions = await client.text_document_code_action_async(types.CodeActionParams(here, told["c2"][0].range, context))
    fix = next(action for action in actions if action.title.startswith("Bind `y`"))
    (edit,) = fix.edit.document_changes or []
    assert (edit.text_document.uri, edit.text_document.version) == (book.cell("c2"), 1)
    assert edit.edits[0].range.start == types.Position(2, 4)
    allow = next(action for action in actions if "in this file" in action.title)
    (edit,) = allow.edit.document_changes or []
    assert edit.text_document.uri == book.cell("c0")


async def test_what_is_told_of_a_whole_document_is_told_of_the_cell(connect: Connect):
    def able(params: types.InitializeParams) -> None:
        notebooks(params)
        params.capabilities.text_document.code_lens = types.CodeLensClientCapabilities()

    client = await connect(initialize=able)
    book = Notebook(client)
    second = CLIP.replace("clip", "clop").replace("        y", "        pass\n        y")
    book.open([IMPORTS, CLIP, second, f"{CLIP.replace('clip', 'clap')}\nclap(tf.constant([1.0]))\n"])
    await book.told(4)
    here = types.TextDocumentIdentifier(book.cell("c2"))
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(here))
    assert {lens.range.start.line for lens in lenses} <= {0, 1}
    there = types.TextDocumentIdentifier(book.cell("c3"))
    (lens,) = await client.text_document_code_lens_async(types.CodeLensParams(there)) or []
    assert lens.range.start.line in (0, 1)
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(here))
    assert list(tokens.data[:2]) == [2, 4]
    assert sum(tokens.data[::5]) < second.count("\n") + 1


async def test_what_goes_to_the_head_stays_behind_a_cell_s_magic(connect: Connect):
    client = await connect(initialize=notebooks)
    book = Notebook(client)
    book.open(["%%bash\npip install tensorflow", f"%%time\n{IMPORTS}", CLIP])
    told = await book.told(3)
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(book.cell("c2")), told["c2"][0].range, types.CodeActionContext([])
        )
    )
    allow = next(action for action in actions if "in this file" in action.title)
    (edit,) = allow.edit.document_changes or []
    assert edit.text_document.uri == book.cell("c1")
    assert edit.edits[0].range.start == types.Position(1, 0)


async def test_fixes_indent_what_they_write_into_an_indented_cell(connect: Connect):
    client = await connect(initialize=notebooks)
    book = Notebook(client)
    book.open([textwrap.indent(cell, "  ") for cell in (IMPORTS, CLIP)])
    told = await book.told(2)
    here, context = types.TextDocumentIdentifier(book.cell("c1")), types.CodeActionContext([])
    params = types.CodeActionParams(here, told["c1"][0].range, context)
    actions = await client.text_document_code_action_async(params) or []
    for words, cell, place, text in (
        ("Bind `y`", "c1", types.Position(2, 6), "y = ...\n      "),
        ("in this file", "c0", types.Position(0, 0), "  # graphwright: allow-file[undefined-in-branch]\n"),
    ):
        action = next(action for action in actions if words in action.title)
        (edit,) = action.edit.document_changes or []
        assert edit.text_document.uri == book.cell(cell)
        assert (edit.edits[0].range.start, edit.edits[0].new_text) == (place, text)


async def test_a_cell_that_does_not_parse_costs_the_others_nothing(connect: Connect):
    client = await connect(initialize=notebooks)
    book = Notebook(client)
    book.open([IMPORTS, "x = (1,\n    '''", "def g(:", CLIP, "await thing()", "clip?"])
    assert await book.rules(6) == {
        name: ["undefined-in-branch"] if name == "c3" else [] for name in ("c0", "c1", "c2", "c3", "c4", "c5")
    }


async def test_cells_come_go_and_move(connect: Connect):
    client = await connect(initialize=notebooks)
    book = Notebook(client)
    book.open([])
    book.splice(0, 0, [IMPORTS, USER])
    assert await book.rules(2) == {"c0": [], "c1": ["undefined-in-branch"]}
    book.splice(1, 0, [HELPER, ("text", "markdown")])
    assert await book.rules(2) == {"c2": [], "c1": ["branch-dtype-mismatch"]}
    # The helper after its user: it is the same program all the same once both have run.
    book.splice(1, 3, back=["c1", "m3", "c2"])
    book.splice(3, 1)
    assert await book.rules(2) == {"c2": [], "c1": ["undefined-in-branch"]}
    book.close()
    assert await book.rules(2) == {"c0": [], "c1": []}


async def test_notebooks_do_not_know_of_each_other(connect: Connect):
    client = await connect(initialize=notebooks)
    first, second = Notebook(client), Notebook(client, "file:///work/other.ipynb")
    first.open([IMPORTS, HELPER])
    await first.rules(2)
    second.open([IMPORTS, USER])
    assert await second.rules(2) == {"c0": [], "c1": ["undefined-in-branch"]}
    second.close()
    await second.rules(2)
    first.splice(2, 0, [USER])
    assert await first.rules(1) == {"c2": ["branch-dtype-mismatch"]}


async def test_a_notebook_imports_the_files_beside_it(connect: Connect, tmp_path: Path):
    (tmp_path / "helper.py").write_text(f"{IMPORTS}\n\n\n{HELPER}\n")
    client = await connect(folder=tmp_path, initialize=notebooks)
    book = Notebook(client, (tmp_path / "nb.ipynb").as_uri())
    book.open([f"{IMPORTS}\nfrom helper import other", USER])
    assert await book.rules(2) == {"c0": [], "c1": ["branch-dtype-mismatch"]}
    text = f"{IMPORTS}\n\n\n{HELPER}\n"
    item = types.TextDocumentItem((tmp_path / "helper.py").as_uri(), "python", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    assert list((await book.rules(1)).values()) == [[]]
    whole = types.TextDocumentContentChangeWholeDocument(text.replace("16", "32"))
    identifier = types.VersionedTextDocumentIdentifier(version=2, uri=item.uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))
    assert await book.rules(2) == {"": [], "c1": []}


async def test_each_cell_is_pulled(connect: Connect):
    client = await connect(initialize=pulling)
    book = Notebook(client)
    book.open([IMPORTS, HELPER, USER])
    first = {name: await pull(client, book.cell(name)) for name in book.names}
    assert {name: [item.code for item in report.items] for name, report in first.items()} == {
        "c0": [],
        "c1": [],
        "c2": ["branch-dtype-mismatch"],
    }
    book.replace("c1", "16", "32")
    assert (await pull(client, book.cell("c0"), first["c0"].result_id)).kind == "unchanged"
    assert list((await pull(client, book.cell("c2"), first["c2"].result_id)).items) == []
    assert client.published.empty()


async def test_a_client_that_asks_hears_that_another_cell_has_changed(connect: Connect):
    def able(params: types.InitializeParams) -> None:
        pulling(params)
        params.capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)

    client = await connect(initialize=able)
    refreshed: asyncio.Queue[None] = asyncio.Queue()
    client.protocol.fm.features.pop(types.WORKSPACE_DIAGNOSTIC_REFRESH, None)
    client.feature(types.WORKSPACE_DIAGNOSTIC_REFRESH)(lambda *_: refreshed.put_nowait(None))
    book = Notebook(client)
    book.open([IMPORTS, HELPER, USER])
    for name in book.names:
        await pull(client, book.cell(name))
    book.replace("c1", "16", "32")
    await asyncio.wait_for(refreshed.get(), 20)
    assert list((await pull(client, book.cell("c2"))).items) == []
    book.replace("c1", "other", "others")
    book.replace("c1", "others", "other")
    await pull(client, book.cell("c1"))


async def test_a_client_that_refreshes_hears_that_the_hints_of_another_cell_have_changed(connect: Connect):
    def able(params: types.InitializeParams) -> None:
        assert params.capabilities.workspace is not None
        params.capabilities.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
        notebooks(params)

    client = await connect(initialize=able)
    refreshed: asyncio.Queue[None] = asyncio.Queue()
    client.protocol.fm.features.pop(types.WORKSPACE_INLAY_HINT_REFRESH, None)
    client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(lambda *_: refreshed.put_nowait(None))
    book = Notebook(client)
    book.open([IMPORTS, HELPER, "y = other(tf.ones([2]))"])

    async def labels() -> str:
        whole = types.Range(types.Position(0, 0), types.Position(20, 0))
        asked = types.InlayHintParams(types.TextDocumentIdentifier(book.cell("c2")), whole)
        return " ".join(str(each.label) for each in await client.text_document_inlay_hint_async(asked) or ())

    assert await labels() == ": float16[2]"
    book.replace("c1", "16", "32")
    await asyncio.wait_for(refreshed.get(), 20)
    assert await labels() == ": float32[2]"


@pytest.mark.parametrize("magic", ["%run helpers.py", "%pylab inline", "from helpers import *"])
async def test_where_names_come_from_elsewhere_none_is_missed(connect: Connect, magic: str):
    client = await connect(initialize=notebooks)
    book = Notebook(client)
    book.open([IMPORTS, magic, USER])
    assert await book.rules(3) == {"c0": [], "c1": [], "c2": []}


PIECES = (
    IMPORTS,
    HELPER,
    HELPER.replace("16", "32"),
    USER,
    CLIP,
    CLIP.replace("y = tf.constant(2.0)", "pass"),
    "x = (",
    "'''",
    "%%time\n" + HELPER,
    "!pip install it",
    "s = '🎉'\r\n" + CLIP.replace("\n", "\r\n"),
    "",
)


@pytest.mark.parametrize("seed", range(4))
async def test_edits_and_moves_come_to_what_a_fresh_server_says(connect: Connect, seed: int):
    client = await connect(initialize=pulling)
    choose = random.Random(seed)
    book = Notebook(client)
    book.open([IMPORTS, *choose.choices(PIECES, k=4)])
    for _ in range(40):
        step(book, choose)
        if choose.random() < 0.5:
            for name in book.names:
                await pull(client, book.cell(name))
    told = [comparable(await pull(client, book.cell(name))) for name in book.names]
    other = await connect(initialize=pulling)
    fresh = Notebook(other)
    fresh.open([book.texts[name] for name in book.names])
    expected = [comparable(await pull(other, fresh.cell(name))) for name in fresh.names]
    assert told == expected


def step(book: Notebook, choose: random.Random) -> None:
    count = len(book.names)
    kind = choose.choice(["insert", "delete", "move", "edit", "edit", "edit"])
    if kind == "insert" or count < 3:
        book.splice(choose.randrange(count + 1), 0, [choose.choice(PIECES)])
    elif kind == "delete":
        book.splice(choose.randrange(count), 1)
    elif kind == "move":
        start = choose.randrange(count - 1)
        back = book.names[start : start + 3]
        choose.shuffle(back)
        book.splice(start, len(back), back=back)
    else:
        name = choose.choice(book.names)
        text = book.texts[name]
        at = choose.randrange(len(text) + 1)
        end = min(len(text), at + choose.choice([0, 0, 1, 5]))
        put = choose.choice(["", "(", "'", '"""', "\n", "x", " ", "0", "%", "!"])
        book.edit(name, [partial(text, at, end, put)], text[:at] + put + text[end:])


def partial(text: str, start: int, end: int, put: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(
        range=types.Range(position(text, start), position(text, end)), text=put
    )


def position(text: str, offset: int) -> types.Position:
    """In UTF-16, with every kind of line end; between CR and LF is the line's end."""
    before = text[:offset].replace("\r\n", "\n")
    if before.endswith("\r") and text[offset : offset + 1] == "\n":
        before = before[:-1]
    before = before.replace("\r", "\n")
    column = before[before.rfind("\n") + 1 :]
    return types.Position(before.count("\n"), len(column.encode("utf-16-le")) // 2)


async def pull(client: LanguageClient, uri: str, previous: str | None = None) -> Any:
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri), previous_result_id=previous)
    return await client.text_document_diagnostic_async(params)


def comparable(report: Any) -> list[tuple[Any, ...]]:
    return sorted(
        (item.code, item.message, item.range.start.line, item.range.start.character, item.range.end.character)
        for item in report.items
    )


FACTOR = "%matplotlib inline\nfactor = 3.0\ndisplay(factor)\n\n"
SCALED = """\
# A comment.
@tf.function
def scaled(x):
    if tf.reduce_sum(x) > 0.0:
        x = x * factor
    return x


def broken(x):
    return x / zero()


def sleep(x):
    __import__("time").sleep(600)
"""
ZERO = "def zero():\n    raise KeyError('zero')\n"
AFTER = "raise AssertionError('the cells below are not run')\n"


async def running(connect: Connect, folder: Path, *cells: str) -> tuple[LanguageClient, Notebook]:
    def able(params: types.InitializeParams) -> None:
        notebooks(params)
        params.initialization_options = {"trusted": True, "commands": True}

    client = await connect(folder, initialize=able)
    notebook = Notebook(client, (folder / "my nb.v1.ipynb").as_uri())
    notebook.open([*cells])
    return client, notebook


async def asked(client: LanguageClient, method: str, uri: str, line: int, **params: Any) -> Any:
    given = {"textDocument": {"uri": uri}, "position": {"line": line, "character": 4}, **params}
    return await asyncio.wait_for(client.protocol.send_request_async(f"graphwright/{method}", given), 60)


async def test_lenses_over_a_cell_trace_and_time_it(connect: Connect, tmp_path: Path) -> None:
    client, notebook = await running(connect, tmp_path, IMPORTS, CLIP)
    params = types.CodeLensParams(types.TextDocumentIdentifier(notebook.cell("c1")))
    lenses = await client.text_document_code_lens_async(params)
    commands = {lens.command.command for lens in lenses or () if lens.command is not None}
    assert commands == {"graphwright.showPreview", "graphwright.trace", "graphwright.time"}


@pytest.mark.truth
async def test_a_function_of_a_cell_is_traced_with_the_cells_above(connect: Connect, tmp_path: Path) -> None:
    client, notebook = await running(connect, tmp_path, IMPORTS, FACTOR, ZERO, SCALED, AFTER)
    cell = notebook.cell("c3")
    specs = await asked(client, "specs", cell, 3)
    assert specs.function == "scaled"
    report = await asked(client, "trace", cell, 3, arguments="x=tf.TensorSpec([2, 3])")
    assert report.ok, report.error
    assert report.file == cell
    assert [(each.signature, each.line) for each in report.traces] == [("scaled(x: float32[2, 3])", 1)]
    assert {(each.file, each.line) for each in report.graph.nodes if each.op == "Mul"} == {(cell, 4)}
    assert "x = x * factor" in report.svg
    assert report.output == "3.0\n"
    assert report.notes == ["Cells 1 to 4 were run, from the top down."]
    failed = await asked(client, "trace", cell, 9, action="run", arguments="x=1")
    assert [(frame.file, frame.line, frame.name) for frame in failed.error.frames] == [
        (cell, 9, "broken"),
        (notebook.cell("c2"), 1, "zero"),
    ]
    assert "cell 4, line 10, in broken" in failed.error.traceback
    late = await asked(client, "trace", cell, 13, action="run", arguments="x=1", timeout=1)
    assert late.error.message.endswith("It was at line 14 of cell 4 then.")


@pytest.mark.truth
async def test_a_cell_that_fails_says_which(connect: Connect, tmp_path: Path) -> None:
    client, notebook = await running(connect, tmp_path, IMPORTS, "1 +\n", SCALED)
    report = await asked(client, "trace", notebook.cell("c2"), 3, arguments="x=1.0")
    assert report.error.type == "SyntaxError"
    assert report.error.message == "invalid syntax (cell 2, line 1)"
    assert [(frame.file, frame.line) for frame in report.error.frames] == [(notebook.cell("c1"), 0)]


async def test_what_no_code_can_be_run_of_says_what_to_do(connect: Connect, tmp_path: Path) -> None:
    client, notebook = await running(connect, tmp_path, IMPORTS, "%%bash\nls\n")
    for uri, words in (
        (notebook.cell("c1"), "There's no function here"),
        ("file:///elsewhere.py", "Close and open it"),
    ):
        with pytest.raises(JsonRpcException, match=words):
            await asked(client, "trace", uri, 0)
