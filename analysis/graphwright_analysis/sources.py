"""The files of a project as text and as trees: an editor's buffers come before the disk.

Nothing is run here: what a file imports and what of it matters to others is read from its trees.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from .imports import Import, leads_outside
from .notebooks import CELL_SEAM, is_notebook
from .outlines import Outline, Text
from .project_files import Cancelled, Folder, plain_ends, refuse_long
from .settings import Overrides, Settings, SettingsError
from .settings_files import settings_table
from .syntax import Module, SyntaxProblem, parse_cells, parse_module, python_of_cell
from .tracing import FlowCache, imports_in, outline_of
from .user_files import Unreadable
from .values.elsewhere import Elsewhere

REMEMBERED = 400
"""The number of files whose trees are kept from one query to the next, besides those that are needed."""

MOST_ANSWERS = 20_000
"""The number of files whose answers to one question are kept."""

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class ParsedFile:
    """A file as it was parsed. The object stays the same as long as the text does."""

    module: Module
    flow: FlowCache
    stamp: tuple[int, int] | None = None
    """The time and size of the file on the disk, if the text was read from it."""
    buffer: str | None = None
    """The editor's text, if that was parsed."""
    cells: tuple[str, ...] | None = None
    _asking: Text | None = None
    _imported: Iterable[Import] | None = None
    _outline: Outline | None = None

    @property
    def asking(self) -> Text:
        """What its text may look up in other files."""
        if self._asking is None:
            self._asking = Text.together([self.flow.text_of(piece) for piece in self.module.pieces])
        return self._asking

    @property
    def imported(self) -> Iterable[Import]:
        """Its imports, as written."""
        if self._imported is None:
            self._imported = dict.fromkeys(imported for _, imported in imports_in(self.module, self.flow))
        return self._imported

    @property
    def outline(self) -> Outline:
        """The parts that matter to its importers."""
        if self._outline is None:
            self._outline = outline_of(self.module, self.flow)
        return self._outline


class Sources(Folder):
    """The files under one root, parsed, and where their imports lead."""

    def __init__(
        self,
        root: Path | None = None,
        settings: Settings | None = None,
        still: bool = False,
        packages: Sequence[Path] = (),
    ) -> None:
        super().__init__(root, settings, still, packages)
        self._buffers: dict[str, str] = {}
        self._cells: dict[str, tuple[str, ...]] = {}
        """The parts of those buffers that are notebooks."""
        self._parsed: dict[str, ParsedFile] = {}
        self._answers: dict[Callable[..., Any], dict[str, tuple[object, Any]]] = {}
        """For each question about texts, the answers by file, with the states of the texts."""
        self._met = set[str]()
        """The files that were used in this query."""
        self._held = set[str]()
        self._is_cancelled: Callable[[], bool] = lambda: False

    def beside(self, path: str, text: str, overrides: Overrides) -> Sources:
        """Return the same files with another text in one of them, and settings that override theirs."""
        other = Sources(self.root, overrides.over(self.settings), self.still, self.packages)
        other.overrides, other.on_bad_settings = overrides, self.on_bad_settings
        other._is_cancelled = self._is_cancelled
        other._buffers, other._cells = {**self._buffers, path: text}, {**self._cells}
        other._cells.pop(path, None)
        other._parsed = {**self._parsed}
        return other

    # Buffers

    def set_text(self, path: str, text: str) -> None:
        """Use the text of an editor's buffer instead of the file."""
        if path not in self._buffers:
            self.look_again()
        self._cells.pop(path, None)
        self._buffers[path] = text

    def set_cells(self, path: str, cells: Sequence[str]) -> None:
        """Use the cells of an editor's notebook (`python_of_cell`): one program, with a line end after each cell."""
        self.look_again()
        parts = self._cells[path] = tuple(f"{cell}{CELL_SEAM}" for cell in cells)
        self._buffers[path] = "".join(parts)

    def forget(self, path: str) -> None:
        """Drop the buffer of a closed document, and use the file again."""
        self.look_again()
        for known in (self._buffers, self._cells, self._parsed):
            known.pop(path, None)

    @property
    def opened(self) -> Iterable[str]:
        """The files that have a buffer."""
        return self._buffers.keys()

    # Texts

    def text(self, path: str) -> str:
        """The buffer, or the text of the file; raises `Unreadable`."""
        buffer = self._buffers.get(path)
        if buffer is not None:
            return plain_ends(buffer)
        return "".join(self._python_of(path)) if is_notebook(path) else super().text(path)

    def state_of(self, path: str) -> object:
        """Return an object that changes whenever the text does."""
        buffer = self._buffers.get(path)
        return self.stamp_of(path) if buffer is None else buffer

    def read_at(self, path: str) -> tuple[int, int] | None:
        """The state on the disk of a file when it was read."""
        known = self._parsed.get(path)
        return self.stamp_of(path) if known is None or known.stamp is None else known.stamp

    def is_file(self, path: str) -> bool:
        return path in self._buffers or super().is_file(path)

    def settings_file(self) -> str | None:
        """The file that has the project's settings or may have them, if there is a readable one."""
        with suppress(SettingsError):
            path, _ = settings_table(self.root, self._buffers)
            return None if path is None else str(path)
        return None

    def _configuration_text(self, path: str) -> str | None:
        return self._buffers.get(path) or super()._configuration_text(path)

    def _python_of(self, path: str) -> tuple[str, ...]:
        return tuple(python_of_cell(cell.source) + CELL_SEAM for cell in self.cells(path))

    # Trees

    def module(self, path: str) -> Module:
        """The file, split into blocks and parsed."""
        return self.parsed(path).module

    def ask(self, question: Callable[[Sources, str], T], path: str, most: int = MOST_ANSWERS) -> T:
        """The answer to a question about the text of one file alone, which is asked again once the text changes."""
        answers, state = self._answers.setdefault(question, {}), self.state_of(path)
        known = answers.get(path)
        if known is not None and known[0] == state:
            return known[1]
        answer = question(self, path)
        if len(answers) == most and path not in answers:
            answers.clear()
        answers[path] = state, answer
        return answer

    def problems(self, path: str) -> tuple[SyntaxProblem, ...]:
        """The code that can't be parsed; everything around it is checked anyway."""
        return self.module(path).errors

    def imports(self, path: str) -> Iterable[Import]:
        """The imports of a file, as written."""
        return self.parsed(path).imported

    def destinations(self, path: str) -> tuple[tuple[Import, tuple[str | None, str | None]], ...]:
        """The imports of a file that may lead into the project, and where they lead."""
        return tuple((one, self.destination(path, one)) for one in self.imports(path) if not leads_outside(one))

    def destination_in_project(self, path: str, imported: Import) -> Elsewhere | None:
        """Return where an import in a file leads; None if it isn't a file of the project."""
        self.check_cancelled()
        found, name = self.destination(path, imported)
        return None if found is None else Elsewhere(found, name)

    def outline(self, path: str) -> Outline:
        """The parts of a file that matter to its importers."""
        return self.parsed(path).outline

    def asking(self, path: str) -> Text:
        """What the text of a file may look up in other files."""
        with suppress(Unreadable):
            return self.parsed(path).asking
        return Text.together([])

    def parsed(self, path: str) -> ParsedFile:
        """A file as it is now; pieces whose text is as before are the same objects as before."""
        self._met.add(path)
        known = self._parsed.get(path)
        buffer = self._buffers.get(path)
        stamp = self.stamp_of(path) if buffer is None else None
        as_read = known is not None and (known.stamp == stamp if buffer is None else known.buffer is buffer)
        if known is not None and as_read and (stamp, buffer) != (None, None):
            return known
        self.check_cancelled()
        text = self.text(path)
        refuse_long(path, text)
        from_disk = buffer is None and is_notebook(path)
        cells = self._python_of(path) if from_disk else self._cells.get(path)
        if known is not None and known.module.text == text and known.cells == cells:
            known.stamp, known.buffer = stamp, buffer
            return known
        previous = known.module if known is not None and (known.cells is None) == (cells is None) else None
        module = parse_module(text, previous) if cells is None else parse_cells(cells, previous)
        flow = FlowCache() if known is None else known.flow.kept(module.starts_of.keys())
        self._parsed[path] = ParsedFile(module, flow, stamp, buffer, cells)
        return self._parsed[path]

    def known(self, path: str) -> ParsedFile | None:
        """A file as it was last parsed, if it is kept."""
        return self._parsed.get(path)

    def separate(self, path: str) -> ParsedFile | None:
        """Stop sharing a file with other sources; return it if it is kept."""
        if path in self._parsed:
            self._parsed[path] = replace(self._parsed[path])
        return self._parsed.get(path)

    # Queries

    def begin_query(self, is_needed: Callable[[str], bool]) -> Sequence[str]:
        """Return the files that are released because too many are kept: the last query didn't use them, nor who asks.

        Within a query, all that it uses is kept.
        """
        used, released = {*self._met, *self._held, *self._buffers}, list[str]()
        self._met.clear()
        if (surplus := len(self._parsed) - REMEMBERED) > 0:
            released = [path for path in self._parsed if path not in used and not is_needed(path)][:surplus]
        for path in released:
            self._parsed.pop(path).flow.dissolve()
        return released

    def hold(self, path: str) -> None:
        """Keep a file's module, however many others are read: its nodes are referred to."""
        self._held.add(path)

    @contextmanager
    def cancelled_when(self, when: Callable[[], bool]) -> Generator[None]:
        """Make long computations raise `Cancelled` once `when` returns True; their partial results stay valid."""
        before, self._is_cancelled = self._is_cancelled, when
        try:
            yield
        finally:
            self._is_cancelled = before

    def check_cancelled(self) -> None:
        """Raise `Cancelled` if the current computation is cancelled."""
        if self._is_cancelled():
            raise Cancelled
