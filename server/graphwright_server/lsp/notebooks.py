"""Open notebooks: their cells as one program, and each cell as a view on it.

A view is a document like any other, but its offsets are the program's: who asks or answers about a cell
needs to know nothing of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import graphwright_analysis as analysis
from graphwright_analysis import Edit, LineIndex, Range, immutable
from lsprotocol import types

from .columns import Encoding
from .documents import Document, changed, opened
from .uris import key_of


class CellLines(LineIndex):
    """The lines of a cell, at the offsets that they have in the program; what is outside counts as the nearest end."""

    __slots__ = ("_end",)

    def __init__(self, program: str, start: int, cell: LineIndex) -> None:
        self.text = program
        self.starts = [start + line for line in cell.starts]
        self._end = start + len(cell.text)

    @property
    def end(self) -> int:
        return self._end

    def line_of(self, offset: int) -> int:
        return max(super().line_of(offset), 0)

    def line_column(self, offset: int) -> tuple[int, int]:
        return super().line_column(min(max(offset, self.starts[0]), self._end))

    def line_range(self, line: int) -> Range:
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else self._end
        return Range(start, start + len(self.text[start:end].rstrip("\r\n")))

    def offset(self, line: int, column: int) -> int:
        return min(super().offset(line, column), self._end)


@immutable(eq=False)
class Program:
    """The Python cells of a notebook, one after the other with a line end after each."""

    key: str
    uri: str
    cells: tuple[Document, ...]
    code: tuple[str, ...]
    starts: tuple[int, ...]
    text: str

    def view(self, index: int) -> CellView:
        """A cell as a document at the program's offsets."""
        cell = self.cells[index]
        lines = CellLines(self.text, self.starts[index], cell.lines)
        return CellView(cell.uri, self.key, cell.version, True, lines, self)

    def views(self) -> tuple[CellView, ...]:
        return tuple(self.view(index) for index in range(len(self.cells)))

    def part_at(self, offset: int) -> Document:
        """The cell that holds an offset."""
        return self.view(self.cell_at(offset))

    def landing(self, edit: Edit) -> tuple[Document, Edit]:
        """The cell that an edit is for, and the edit as it is right there."""
        index = self.cell_at(edit.range.start)
        if edit.range.start == edit.range.end == self.starts[index]:
            return self._line_inserted(index, edit)
        return self._edited(index, edit)

    def _line_inserted(self, index: int, edit: Edit) -> tuple[Document, Edit]:
        """An insertion at a cell's very beginning, which may as well be meant for the end of the one before."""
        if edit.text[:1] in (" ", "\t") and edit.text.endswith("\n") and index > 0:
            end = self.view(index - 1).lines.end
            text = edit.text.rstrip("\r\n")
            return self._edited(index - 1, Edit(Range(end, end), f"\n{text}"))
        holding = (other for other in range(index, len(self.cells)) if self.code[other].strip())
        index = next(holding, index)
        magic = _CELL_MAGIC.match(self.cells[index].text)
        if magic is None:
            return self._edited(index, Edit(Range(self.starts[index], self.starts[index]), edit.text))
        # A cell's magic must stay its first line.
        at = self.starts[index] + magic.end()
        text = edit.text if magic.group(1) else "\n" + edit.text.rstrip("\r\n")
        return self._edited(index, Edit(Range(at, at), text))

    def _edited(self, index: int, edit: Edit) -> tuple[Document, Edit]:
        text = analysis.code_for_cell(self.cells[index].text, edit.range.start - self.starts[index], edit.text)
        return self.view(index), Edit(edit.range, text)

    def cell_at(self, offset: int) -> int:
        """The number of the cell that holds an offset."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    @property
    def first_lines(self) -> list[int]:
        """For each cell the number of its first line in the program."""
        return [self.line_of(start) for start in self.starts]

    def line_of(self, offset: int) -> int:
        """The line of the program that holds an offset."""
        return self.text.count("\n", 0, offset)


@immutable(eq=False)
class CellView(Document):
    """A notebook's cell as a view on the program that all cells are together.

    The key, the text and all offsets are the program's, the URI, the version and the lines the cell's.
    """

    program: Program

    @property
    def is_cell(self) -> bool:
        return True

    @property
    def file_uri(self) -> str:
        return self.program.uri

    def shows(self, place: Range) -> bool:
        return self.lines.starts[0] <= place.start <= self.lines.end

    def part_at(self, offset: int) -> Document:
        return self.program.part_at(offset)

    def landing(self, edit: Edit) -> tuple[Document, Edit]:
        return self.program.landing(edit)


_CELL_MAGIC = re.compile(r"\s*%%[^\r\n]*(\r\n|\n|\r)?")


@immutable(eq=False)
class Notebook:
    """An open notebook at one version, with the documents of all its cells in their order."""

    uri: str
    version: int
    cells: tuple[Document, ...]
    program: Program

    def view_of(self, uri: str) -> CellView | None:
        """A cell as a view on the program; None for one that is no Python."""
        cells = self.program.cells
        return next((self.program.view(index) for index, cell in enumerate(cells) if cell.uri == uri), None)


def opened_notebook(notebook: types.NotebookDocument, documents: Iterable[types.TextDocumentItem]) -> Notebook:
    """A notebook as the client opens it."""
    known = {item.uri: opened(item) for item in documents}
    return _made(notebook.uri, notebook.version, _in_order(notebook.cells, known))


def changed_notebook(
    notebook: Notebook, version: int, change: types.NotebookDocumentChangeEvent, encoding: Encoding
) -> Notebook:
    """The notebook after a change of its cells, their order or their texts."""
    cells = notebook.cells
    if change.cells is not None and change.cells.structure is not None:
        cells = _restructured(cells, change.cells.structure)
    for content in (change.cells.text_content if change.cells is not None else None) or ():
        cells = tuple(
            changed(cell, content.changes, content.document.version, encoding)
            if cell.uri == content.document.uri
            else cell
            for cell in cells
        )
    if cells == notebook.cells:
        return replace(notebook, version=version)
    return _made(notebook.uri, version, cells)


def _restructured(
    cells: tuple[Document, ...], structure: types.NotebookDocumentCellChangeStructure
) -> tuple[Document, ...]:
    known = {cell.uri: cell for cell in cells}
    for item in structure.did_open or ():
        known[item.uri] = opened(item)
    start = min(structure.array.start, len(cells))
    new = _in_order(structure.array.cells or (), known)
    return (*cells[:start], *new, *cells[start + structure.array.delete_count :])


def _in_order(cells: Sequence[types.NotebookCell], known: Mapping[str, Document]) -> tuple[Document, ...]:
    """The documents of cells; only code counts, and a cell whose text nobody gave is empty."""
    found: list[Document] = []
    for cell in cells:
        document = known.get(cell.document) or Document(cell.document, key_of(cell.document), 0, False, LineIndex(""))
        is_code = cell.kind == types.NotebookCellKind.Code
        found.append(document if is_code else replace(document, is_python=False))
    return tuple(found)


def _made(uri: str, version: int, cells: tuple[Document, ...]) -> Notebook:
    python = tuple(cell for cell in cells if cell.is_python)
    starts: list[int] = []
    position = 0
    for cell in python:
        starts.append(position)
        position += len(cell.text) + 1
    text = "".join(f"{cell.text}\n" for cell in python)
    code = tuple(analysis.python_of_cell(cell.text) for cell in python)
    return Notebook(uri, version, cells, Program(key_of(uri), uri, python, code, tuple(starts), text))
