"""Open documents and snapshots of all that an answer depends on, as immutable data.

A snapshot can be handed to another thread as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphwright_analysis import Edit, LineIndex, Range
from lsprotocol import types

from .columns import Encoding
from .from_lsp import changed_text
from .uris import key_of, path_of

if TYPE_CHECKING:
    from .notebooks import Notebook, Program


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One open document at one version.

    A notebook's cell is a view on the program that all cells are together: the key, the text and all offsets are
    the program's, the URI, the version and the lines the cell's.
    """

    uri: str
    key: str
    version: int
    is_python: bool
    lines: LineIndex
    program: Program | None = None

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def is_file(self) -> bool:
        """Whether it's a file, saved or not: neither a notebook's cell nor a document without a name."""
        return self.program is None and path_of(self.uri) is not None

    def shows(self, place: Range) -> bool:
        """Whether a place in the text is one of this document: another cell's isn't."""
        return self.program is None or self.lines.starts[0] <= place.start <= self.lines.end

    def part_at(self, offset: int) -> Document:
        """The document that an editor shows an offset in: the one of the cell that holds it."""
        return self if self.program is None else self.program.part_at(offset)

    def landing(self, edit: Edit) -> tuple[Document, Edit]:
        """The document that an edit is for, and the edit as it is right there."""
        return (self, edit) if self.program is None else self.program.landing(edit)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The open documents, the folders and the client's settings at one moment."""

    documents: Mapping[str, Document] = field(default_factory=dict[str, Document])
    notebooks: Mapping[str, Notebook] = field(default_factory=dict[str, "Notebook"])
    folders: tuple[Path, ...] = ()
    # What the client configured, by folder; None holds what applies everywhere.
    configuration: Mapping[Path | None, Mapping[str, Any]] = field(
        default_factory=dict["Path | None", "Mapping[str, Any]"]
    )
    # Counts the changes of settings, so that a project knows whether it was made with the current ones.
    settings_generation: int = 0

    def document(self, uri: str) -> Document | None:
        """An open document, or a notebook's cell as a view."""
        found = self.documents.get(uri)
        cells = (notebook.view_of(uri) for notebook in self.notebooks.values())
        return found or next((cell for cell in cells if cell is not None), None)

    def programs(self) -> Mapping[str, Document]:
        """By the URI of each open document or notebook what can be asked about it: the document, or a first cell."""
        cells = {uri: notebook.program.view(0) for uri, notebook in self.notebooks.items() if notebook.program.cells}
        return {**{uri: document for uri, document in self.documents.items() if document.is_python}, **cells}

    def root_of(self, document: Document) -> Path | None:
        """The innermost folder that holds the document; the only one for a document that is no file."""
        path = path_of(document.program.uri if document.program else document.uri)
        if path is None:
            return self.folders[0] if len(self.folders) == 1 else None
        return self.folder_of(path)

    def folder_of(self, path: Path) -> Path | None:
        """The innermost folder that holds a file."""
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
