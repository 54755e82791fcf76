"""Open documents and snapshots of all that an answer depends on, as immutable data.

A snapshot can be handed to another thread as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphwright_analysis import LineIndex
from lsprotocol import types

from .columns import Encoding
from .from_lsp import changed_text
from .uris import key_of, path_of


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One open document at one version."""

    uri: str
    key: str
    version: int
    is_python: bool
    lines: LineIndex

    @property
    def text(self) -> str:
        return self.lines.text


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The open documents, the folders and the client's settings at one moment."""

    documents: Mapping[str, Document] = field(default_factory=dict[str, Document])
    folders: tuple[Path, ...] = ()
    # What the client configured, by folder; None holds what applies everywhere.
    configuration: Mapping[Path | None, Mapping[str, Any]] = field(
        default_factory=dict["Path | None", "Mapping[str, Any]"]
    )
    # Counts the changes of settings, so that a project knows whether it was made with the current ones.
    settings_generation: int = 0

    def root_of(self, document: Document) -> Path | None:
        """The innermost folder that holds the document; the only one for a document that is no file."""
        path = path_of(document.uri)
        if path is None:
            return self.folders[0] if len(self.folders) == 1 else None
        holding = [folder for folder in self.folders if path.is_relative_to(folder)]
        return max(holding, key=lambda folder: len(folder.parts), default=None)


def opened(item: types.TextDocumentItem) -> Document:
    """A document as the client opens it."""
    is_python = item.language_id == "python" or (item.language_id == "" and item.uri.endswith((".py", ".pyi")))
    return Document(item.uri, key_of(item.uri), item.version, is_python, LineIndex(item.text))


def changed(
    document: Document,
    changes: Sequence[types.TextDocumentContentChangeEvent],
    version: int,
    encoding: Encoding,
) -> Document:
    """The document after the client's changes, each of which refers to the text that the one before left."""
    lines = document.lines
    for change in changes:
        lines = LineIndex(changed_text(lines, change, encoding))
    return Document(document.uri, document.key, version, document.is_python, lines)
