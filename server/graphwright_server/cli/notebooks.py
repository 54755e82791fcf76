"""Notebooks on the command line: what is found in a program of cells, told cell by cell, and fixed in them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright_analysis import (
    CELL_SEAM,
    Cell,
    CutRun,
    Diagnostic,
    Edit,
    Fix,
    Folder,
    LineIndex,
    Range,
    Unreadable,
    apply_edits,
    cells_in,
    immutable,
    is_notebook,
    notebook_with,
)

from .findings import CheckedFile, Unfollowed
from .fixing import MOST_ROUNDS, CannotFix, Wanted, all_of, next_edits, read, with_line_ends_of
from .targets import Target

if TYPE_CHECKING:
    from graphwright_analysis import Project

_CELL = "\0cell "
"""Between a notebook's path and the number of a cell, where a related place is in another cell."""


@immutable
class _Cells:
    """Where the cells of Python of a notebook are in its program, by their numbers."""

    numbers: tuple[int, ...]
    starts: tuple[int, ...]
    sources: tuple[str, ...]

    def at(self, offset: int) -> int:
        """Which of them an offset is in."""
        return max(bisect_right(self.starts, offset) - 1, 0)


def parts_of(target: Target, file: CheckedFile) -> Iterator[CheckedFile]:
    """A notebook's cells with their findings, each as a file of its own; any other file as it is."""
    if not is_notebook(target.key):
        yield file
        return
    if not file.diagnostics:
        yield file
        return
    cells, found = _cells_of(target.folder, target.key), defaultdict[int, "list[Diagnostic]"](list)
    for diagnostic in file.diagnostics:
        cell = cells.at(diagnostic.range.start)
        found[cell].append(_in_cell(diagnostic, file.path, cells, cell))
    for place, cell in enumerate(sorted(found)):
        text, number = cells.sources[cell], cells.numbers[cell]
        fixed = file.fixed if place == 0 else 0
        yield CheckedFile(file.path, file.shown, text, tuple(found[cell]), fixed, number)


def place_in(target: Target, line: int) -> str:
    """A line of a file as people are told of it."""
    if not is_notebook(target.key):
        return f"{target.shown}:{line}"
    cell, line = cell_and_line(target, line)
    return f"{target.shown}:cell {cell}:{line}"


def unfollowed_in(target: Target, cut: Iterable[CutRun]) -> Iterator[Unfollowed]:
    """What of a file was followed only in part, with its place as people are told of it."""
    for each in cut:
        cell, line = cell_and_line(target, each.line) if is_notebook(target.key) else (None, each.line)
        # The line that was reached may be in another cell.
        message = each.message if cell is None else replace(each, reached=None).message
        yield Unfollowed(target.shown, cell, line, each.name, message)


def cell_and_line(target: Target, line: int) -> tuple[int, int]:
    """The number of the cell that a line of a notebook's program is in, and which of its lines it is."""
    cells = _cells_of(target.folder, target.key)
    lines = LineIndex("".join(f"{source}{CELL_SEAM}" for source in cells.sources))
    starts = [lines.line_of(start) for start in cells.starts]
    cell = max(bisect_right(starts, line - 1) - 1, 0)
    return cells.numbers[cell], line - starts[cell]


def other_cell(path: str, folder: Folder) -> tuple[str, LineIndex] | None:
    """What is shown of a related place in another cell."""
    notebook, found, number = path.partition(_CELL)
    if not found:
        return None
    cells = _cells_of(folder, notebook)
    return f"{Path(notebook).name}:cell {number}", LineIndex(cells.sources[cells.numbers.index(int(number))])


@immutable
class FixedCell:
    number: int
    before: str
    after: str


@immutable
class FixedNotebook:
    """What a notebook was and became, and how many fixes that took."""

    before: bytes
    raw: bytes
    cells: tuple[FixedCell, ...]
    count: int


def fix(project: Project, path: str, unsafe: bool = False, wanted: Wanted = all_of) -> FixedNotebook:
    """The same as `fixing.fix` for the cells of a notebook."""
    from graphwright_analysis import python_of_cell  # it loads the analysis

    raw = read(Path(path))
    try:
        cells = _numbered(cells_in(path, raw))
    except Unreadable as problem:
        raise CannotFix(problem.reason) from None
    sources, count = list(cells.sources), 0
    project.set_cells(path, [python_of_cell(source) for source in sources])
    seen = {tuple(sources)}
    for _ in range(MOST_ROUNDS):
        edits, applied = next_edits(project, path, unsafe, wanted)
        changed = _edited(sources, edits)
        if not applied or tuple(changed) in seen:
            break
        seen.add(tuple(changed))
        sources, count = changed, count + applied
        project.set_cells(path, [python_of_cell(source) for source in sources])
    pairs = zip(cells.numbers, cells.sources, sources, strict=True)
    fixed = tuple(FixedCell(number, before, after) for number, before, after in pairs if before != after)
    try:
        made = notebook_with(raw, {cell.number: cell.after for cell in fixed}) if fixed else raw
    except ValueError as error:
        raise CannotFix(str(error)) from None
    return FixedNotebook(raw, made, fixed, count)


def _edited(sources: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    from graphwright_analysis import code_for_cell  # it loads the analysis

    starts = _starts(sources)
    by_cell = defaultdict[int, "list[Edit]"](list)
    for edit in edits:
        cell = max(bisect_right(starts, edit.range.start) - 1, 0)
        range = edit.range.shifted(-starts[cell])
        by_cell[cell].append(Edit(range, code_for_cell(sources[cell], range.start, edit.text)))
    return [
        apply_edits(source, with_line_ends_of(source, by_cell[cell])) if cell in by_cell else source
        for cell, source in enumerate(sources)
    ]


def _cells_of(folder: Folder, path: str) -> _Cells:
    return _numbered(folder.cells(path))


def _numbered(cells: Sequence[Cell]) -> _Cells:
    sources = tuple(cell.source for cell in cells)
    return _Cells(tuple(cell.number for cell in cells), _starts(sources), sources)


def _starts(sources: Sequence[str]) -> tuple[int, ...]:
    found, position = list[int](), 0
    for source in sources:
        found.append(position)
        position += len(source) + len(CELL_SEAM)
    return tuple(found)


def _in_cell(diagnostic: Diagnostic, path: str, cells: _Cells, cell: int) -> Diagnostic:
    """A finding with its places counted from the beginnings of the cells that they are in."""

    def moved(range: Range) -> Range:
        return range.shifted(-cells.starts[cell])

    related = tuple(
        each if each.path is not None else replace(each, range=each.range.shifted(-cells.starts[other]), path=where)
        for each in diagnostic.related
        for other in [cells.at(each.range.start)]
        for where in [None if other == cell else f"{path}{_CELL}{cells.numbers[other]}"]
    )
    fixes = tuple(
        Fix(each.title, tuple(Edit(moved(edit.range), edit.text) for edit in each.edits), each.certain, each.incomplete)
        for each in diagnostic.fixes
    )
    return replace(diagnostic, range=moved(diagnostic.range), related=related, fixes=fixes)
