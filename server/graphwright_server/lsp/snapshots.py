"""Snapshots of all that an answer depends on, as immutable data, so that another thread can have them as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from graphwright_analysis import immutable

from .documents import Document
from .notebooks import Notebook
from .uris import path_of


@immutable
class Snapshot:
    """The open documents, the folders and the client's settings at one moment."""

    documents: Mapping[str, Document] = field(default_factory=dict[str, Document])
    notebooks: Mapping[str, Notebook] = field(default_factory=dict[str, Notebook])
    folders: tuple[Path, ...] = ()
    # What the client configured, by folder; None holds what applies everywhere.
    configuration: Mapping[Path | None, Mapping[str, Any]] = field(default_factory=dict[Path | None, Mapping[str, Any]])
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
        path = path_of(document.file_uri)
        if path is None:
            return self.folders[0] if len(self.folders) == 1 else None
        return self.folder_of(path)

    def folder_of(self, path: Path) -> Path | None:
        """The innermost folder that holds a file."""
        holding = [folder for folder in self.folders if path.is_relative_to(folder)]
        return max(holding, key=lambda folder: len(folder.parts), default=None)
