"""What the client can do, read once from its capabilities; nothing else asks them."""

from __future__ import annotations

from typing import Any, cast

from graphwright_analysis import immutable
from lsprotocol import types
from pygls.capabilities import get_capability

from .columns import Encoding


@immutable
class Client:
    """A client's abilities; the defaults are those of one that stated nothing."""

    encoding: Encoding = Encoding.UTF16
    pulls_diagnostics: bool = False
    registers_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    related_information: bool = False
    code_description: bool = False
    diagnostic_data: bool = False
    diagnostic_tags: frozenset[types.DiagnosticTag] = frozenset()
    hover_markdown: bool = False
    literal_actions: bool = False
    preferred_actions: bool = False
    disabled_actions: bool = False
    resolves_edits: bool = False
    document_changes: bool = False
    change_annotations: bool = False
    configuration: bool = False
    shows_progress: bool = False
    registers_configuration: bool = False
    registers_watched_files: bool = False
    refreshes_code_lenses: bool = False
    refreshes_inlay_hints: bool = False
    refreshes_semantic_tokens: bool = False
    trusted: bool = False
    """Whether the user trusts the code in the workspace, so that it may be run when they ask for it."""
    commands: bool = False
    """Whether it has the commands that lenses and links in hovers are about."""

    @property
    def confirms(self) -> bool:
        """Whether the user can be asked before an edit is made."""
        return self.document_changes and self.change_annotations


def client_of(capabilities: types.ClientCapabilities, encoding: str, options: Any = None) -> Client:
    """The abilities that a client states, in its capabilities and in the options that it sends at the start."""
    stated = cast("dict[str, Any]", options) if isinstance(options, dict) else {}

    def able(name: str) -> bool:
        return get_capability(capabilities, name) is not None

    def flag(name: str) -> bool:
        return bool(get_capability(capabilities, name))

    pulls = able("text_document.diagnostic")
    diagnostics = "text_document.diagnostic" if pulls else "text_document.publish_diagnostics"
    tags: Any = get_capability(capabilities, f"{diagnostics}.tag_support.value_set") or ()
    formats: Any = get_capability(capabilities, "text_document.hover.content_format")
    resolved: Any = get_capability(capabilities, "text_document.code_action.resolve_support.properties") or ()
    return Client(
        encoding=Encoding(str(getattr(encoding, "value", encoding))),
        pulls_diagnostics=pulls,
        registers_diagnostics=flag("text_document.diagnostic.dynamic_registration"),
        refreshes_diagnostics=flag("workspace.diagnostics.refresh_support"),
        related_information=_either(capabilities, "related_information"),
        code_description=_either(capabilities, "code_description_support"),
        diagnostic_data=_either(capabilities, "data_support"),
        diagnostic_tags=frozenset(tags),
        hover_markdown=formats is None or types.MarkupKind.Markdown in formats,
        literal_actions=able("text_document.code_action.code_action_literal_support"),
        preferred_actions=flag("text_document.code_action.is_preferred_support"),
        resolves_edits=able("text_document.code_action.data_support") and "edit" in resolved,
        disabled_actions=flag("text_document.code_action.disabled_support"),
        change_annotations=able("workspace.workspace_edit.change_annotation_support"),
        document_changes=flag("workspace.workspace_edit.document_changes"),
        configuration=flag("workspace.configuration"),
        shows_progress=flag("window.work_done_progress"),
        registers_configuration=flag("workspace.did_change_configuration.dynamic_registration"),
        registers_watched_files=flag("workspace.did_change_watched_files.dynamic_registration"),
        refreshes_code_lenses=flag("workspace.code_lens.refresh_support"),
        refreshes_inlay_hints=flag("workspace.inlay_hint.refresh_support"),
        refreshes_semantic_tokens=flag("workspace.semantic_tokens.refresh_support"),
        commands=stated.get("commands") is True,
        trusted=stated.get("trusted") is True,
    )


def _either(capabilities: types.ClientCapabilities, name: str) -> bool:
    # Clients that pull state these in one place, the other, or both.
    return any(
        bool(get_capability(capabilities, f"text_document.{family}.{name}"))
        for family in ("publish_diagnostics", "diagnostic")
    )
