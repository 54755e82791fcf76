"""Open documents as immutable data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphwright_analysis import Edit, LineIndex, Range
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

    @property
    def is_cell(self) -> bool:
        """Whether it's a cell of a notebook."""
        return False

    @property
    def is_file(self) -> bool:
        """Whether it's a file, saved or not: neither a notebook's cell nor a document without a name."""
        return not self.is_cell and path_of(self.uri) is not None

    @property
    def file_uri(self) -> str:
        """The URI of the file that the document is saved in: a cell's is its notebook's."""
        return self.uri

    def shows(self, place: Range) -> bool:
        """Whether a place in the text is one of this document: another cell's isn't."""
        return True

    def part_at(self, offset: int) -> Document:
        """The document that an editor shows an offset in: the one of the cell that holds it."""
        return self

    def landing(self, edit: Edit) -> tuple[Document, Edit]:
        """The document that an edit is for, and the edit as it is right there."""
        return self, edit


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
