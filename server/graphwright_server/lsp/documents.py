"""Open documents as immutable data."""

from __future__ import annotations

from collections.abc import Sequence

from graphwright_analysis import Edit, LineIndex, Range, immutable
from lsprotocol import types

from .columns import Encoding
from .from_lsp import changed_text
from .uris import key_of, path_of


@immutable(eq=False)
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
        """True if it's a cell of a notebook."""
        return False

    @property
    def is_file(self) -> bool:
        """True if it's a file, saved or not: neither a notebook cell nor an untitled document."""
        return not self.is_cell and path_of(self.uri) is not None

    @property
    def file_uri(self) -> str:
        """The URI of the file that contains the document; for a cell, that of its notebook."""
        return self.uri

    def shows(self, place: Range) -> bool:
        """True if a place in the text is in this document, rather than in another cell."""
        return True

    def part_at(self, offset: int) -> Document:
        """The document in which an editor shows an offset: that of the cell that contains it."""
        return self

    def landing(self, edit: Edit) -> tuple[Document, Edit]:
        """The document that an edit is for, and the edit relative to it."""
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
    """The document after the client's changes, each of which refers to the text after the previous one."""
    lines = document.lines
    for change in changes:
        lines = LineIndex(changed_text(lines, change, encoding))
    return Document(document.uri, document.key, version, document.is_python, lines)
