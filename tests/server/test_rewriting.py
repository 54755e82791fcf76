"""Rewrites over the wire: offered, disabled with a reason, or to be confirmed, as far as the client knows of that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

Connect = Callable[..., Awaitable[LanguageClient]]

pytestmark = pytest.mark.asyncio

URI = "untitled:Untitled-1"
KIND = "refactor.rewrite.graphwright.tf-function"
TEXT = """\
import tensorflow as tf
from elsewhere import model


def safe(x: tf.Tensor):
    return x * 2


def noisy(x: tf.Tensor):
    print(x)
    return x


def doubtful(x: tf.Tensor):
    return model(x)


def branching(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        x = x + 1
    return x


def mixed(x: tf.Tensor):
    if tf.reduce_sum(x) > 0:
        y = 1
    else:
        y = 0.5
    return y
"""


def knowing_everything(params: types.InitializeParams) -> None:
    capabilities: Any = params.capabilities
    capabilities.text_document.code_action.disabled_support = True
    capabilities.workspace.workspace_edit.change_annotation_support = types.ChangeAnnotationsSupportOptions()


def waiting(params: types.InitializeParams) -> None:
    knowing_everything(params)
    actions: Any = params.capabilities.text_document.code_action
    actions.data_support = True
    actions.resolve_support = types.ClientCodeActionResolveOptions(["edit"])


async def test_a_safe_function_is_converted(connect: Connect):
    client = await connect(initialize=knowing_everything)
    (action,) = await rewrites(client, "def safe")
    assert (action.title, action.kind) == ("Convert to graph: add @tf.function", KIND)
    (change,) = action.edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (URI, 1)
    assert [edit.new_text for edit in change.edits] == ["@tf.function\n"]
    assert action.edit.change_annotations is None


async def test_what_isn_t_safe_is_disabled_with_the_reason(connect: Connect):
    client = await connect(initialize=knowing_everything)
    (action,) = await rewrites(client, "def noisy")
    assert action.edit is None
    assert action.disabled.reason == "`noisy` calls `print`, which prints only during tracing (line 10)."


async def test_a_client_that_can_t_show_it_isn_t_told(connect: Connect):
    client = await connect()
    assert await rewrites(client, "def noisy") == []


async def test_what_can_t_be_seen_is_to_be_confirmed(connect: Connect):
    client = await connect(initialize=knowing_everything)
    (action,) = await rewrites(client, "def doubtful")
    (annotation,) = action.edit.change_annotations.values()
    assert annotation.needs_confirmation
    assert annotation.description == "The code of `model` isn't available here"
    (edit,) = action.edit.document_changes[0].edits
    assert edit.annotation_id in action.edit.change_annotations


async def test_a_client_that_can_t_ask_is_told_in_the_title(connect: Connect):
    client = await connect()
    (action,) = await rewrites(client, "def doubtful")
    assert action.title == "Convert to graph: add @tf.function (The code of `model` isn't available here)"
    assert action.edit.change_annotations is None


async def test_by_its_own_kind_the_function_around_is_meant(connect: Connect):
    client = await connect()
    assert await rewrites(client, "return x * 2") == []
    assert [action.kind for action in await rewrites(client, "return x * 2", only=[KIND])] == [KIND]


async def test_other_kinds_are_left_out(connect: Connect):
    client = await connect()
    assert await rewrites(client, "def safe", only=[types.CodeActionKind.QuickFix]) == []
    assert await rewrites(client, "def safe", only=[types.CodeActionKind.RefactorExtract]) == []
    assert len(await rewrites(client, "def safe", only=[types.CodeActionKind.Refactor])) == 1


async def test_every_rewrite_has_a_kind_of_its_own(connect: Connect):
    client = await connect(initialize=knowing_everything)
    found = await rewrites(client, "def branching", only=[types.CodeActionKind.Refactor], kind="refactor")
    assert [(action.kind.removeprefix("refactor.rewrite.graphwright."), bool(action.edit)) for action in found] == [
        ("tf-function", True),
        ("gw-function", True),
        ("plain-tensorflow", True),
    ]


async def test_an_edit_in_several_places_says_what_it_is_for(connect: Connect):
    client = await connect(initialize=knowing_everything)
    (action,) = await rewrites(client, "def safe", kind="refactor.rewrite.graphwright.gw-function")
    (annotation,) = action.edit.change_annotations.values()
    assert (annotation.label, annotation.needs_confirmation) == (action.title, False)
    (change,) = action.edit.document_changes
    assert [edit.new_text for edit in change.edits] == ["import graphwright as gw\n", "@gw.function\n"]


async def test_edits_are_made_when_they_are_wanted(connect: Connect):
    client = await connect(initialize=waiting)
    (action,) = await rewrites(client, "def branching", kind="refactor.rewrite.graphwright.plain")
    assert (action.edit, action.disabled) == (None, None)
    resolved = await client.code_action_resolve_async(action)
    (change,) = resolved.edit.document_changes or []
    assert (change.text_document.version, "tf.cond" in change.edits[0].new_text) == (1, True)


async def test_what_turns_out_to_be_impossible_is_told(connect: Connect):
    client = await connect(initialize=waiting)
    (action,) = await rewrites(client, "def mixed")
    assert (action.edit, action.disabled) == (None, None)
    resolved = await client.code_action_resolve_async(action)
    assert resolved.edit is None
    assert "branch-dtype-mismatch" in resolved.disabled.reason
    assert resolved.disabled.reason in client.messages[-1].message


async def test_edits_for_a_text_that_has_changed_are_refused(connect: Connect):
    client = await connect(initialize=waiting)
    (action,) = await rewrites(client, "def branching")
    item = types.VersionedTextDocumentIdentifier(version=2, uri=URI)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(item, [types.TextDocumentContentChangeWholeDocument(TEXT + "\n")])
    )
    with pytest.raises(JsonRpcException, match="has changed"):
        await client.code_action_resolve_async(action)


async def test_nobody_waits_for_a_lamp(connect: Connect):
    automatic = types.CodeActionTriggerKind.Automatic
    client = await connect()
    assert await rewrites(client, "def safe", kind="refactor", trigger=automatic) == []


async def rewrites(
    client: LanguageClient,
    line: str,
    only: Sequence[types.CodeActionKind | str] | None = None,
    kind: str = KIND,
    trigger: types.CodeActionTriggerKind | None = None,
) -> list[Any]:
    item = types.TextDocumentItem(uri=URI, language_id="python", version=1, text=TEXT)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    (number,) = [number for number, text in enumerate(TEXT.splitlines()) if text.strip().startswith(line)]
    place = types.Position(number, 4)
    found = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=URI),
            range=types.Range(place, place),
            context=types.CodeActionContext([], list(only) if only is not None else None, trigger),
        )
    )
    actions = [action for action in found or [] if isinstance(action, types.CodeAction)]
    return [action for action in actions if str(action.kind).startswith(kind)]


async def test_what_is_ignored_in_the_project_is_written_to_its_settings(connect: Connect, bad: str, tmp_path: Path):
    settings = tmp_path / "pyproject.toml"
    settings.write_text("[project]\nname = 'model'\n")
    client = await connect(tmp_path, initialize=knowing_everything)
    toml = types.TextDocumentItem(settings.as_uri(), "toml", 7, "# being edited\n" + settings.read_text())
    client.text_document_did_open(types.DidOpenTextDocumentParams(toml))
    item = types.TextDocumentItem((tmp_path / "model.py").as_uri(), "python", 1, bad)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    context = types.CodeActionContext([])
    identifier = types.TextDocumentIdentifier(item.uri)
    actions: Any = await client.text_document_code_action_async(types.CodeActionParams(identifier, everything, context))
    (action,) = [action for action in actions if "in this project" in action.title]
    (change,) = action.edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (settings.as_uri(), 7)
    assert [edit.range.start.line for edit in change.edits] == [3]
