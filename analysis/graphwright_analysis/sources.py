"""The files of a project as text and as trees: an editor's buffers come before the disk.

Nothing is run here: what a file imports and what of it matters to others is read from its trees.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from .imports import Import, leads_outside
from .notebooks import CELL_SEAM, is_notebook
from .outlines import Outline, Text
from .project_files import Cancelled, Folder, plain_ends, refuse_long
from .queries import Queries, question, recorded
from .settings import Overrides, Settings, SettingsError
from .settings_files import settings_table
from .syntax import Module, SyntaxProblem, parse_cells, parse_module, python_of_cell
from .tracing import FlowCache, imports_in, outline_of
from .user_files import Unreadable
from .values.elsewhere import Elsewhere
from .values.keras_choice import KerasChoice
from .values.tensorflow.tables import Version

REMEMBERED = 400
"""The number of files whose trees are kept from one query to the next, besides those that are needed."""


State = tuple[int, int] | str | None
"""What tells one text of a file from another: the time and size of what is on the disk, or an editor's buffer."""


@dataclass(slots=True, eq=False)
class ParsedFile:
    """A file as it was parsed. The object stays the same as long as the text does."""

    module: Module
    flow: FlowCache
    state: State
    """That of the file when it was parsed."""
    cells: tuple[str, ...] | None = None


class Sources(Folder, Queries):
    """The files under one root, parsed, and where their imports lead."""

    def __init__(
        self,
        root: Path | None = None,
        settings: Settings | None = None,
        still: bool = False,
        packages: Sequence[Path] = (),
    ) -> None:
        Folder.__init__(self, root, settings, still, packages)
        Queries.__init__(self, still)
        self._buffers: dict[str, str] = {}
        self._cells: dict[str, tuple[str, ...]] = {}
        """The parts of those buffers that are notebooks."""
        self._parsed: dict[str, ParsedFile] = {}
        self._met = set[str]()
        """The files that were used in this query."""
        self._pinned = set[str]()
        self._is_cancelled: Callable[[], bool] = lambda: False

    def fork(self, path: str, text: str, overrides: Overrides) -> Sources:
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
        self.note_changes(of_layout=False)

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

    def look_again(self) -> None:
        super().look_again()
        self.note_changes(of_layout=True)

    # Texts

    def text(self, path: str) -> str:
        """The buffer, or the text of the file; raises `Unreadable`."""
        self.state_of(path)
        buffer = self._buffers.get(path)
        if buffer is not None:
            return plain_ends(buffer)
        return "".join(self._python_of(path)) if is_notebook(path) else super().text(path)

    @question()
    def state_of(self, path: str) -> State:
        """Return an object that changes whenever the text does, or where its cells end."""
        buffer, cells = self._buffers.get(path), self._cells.get(path)
        if cells is not None:
            return f"{buffer}\0{[*map(len, cells)]}"
        return self.stamp_of(path) if buffer is None else buffer

    def notice_change(self, path: str) -> None:
        """Note if the file has changed on the disk since the last query looked at it."""
        if not self.still and path not in self._buffers and self.state_of(path) != self.stamp_of(path):
            self.note_changes(of_layout=False)

    def read_at(self, path: str) -> tuple[int, int] | None:
        """The state on the disk of a file when it was read."""
        known = self._parsed.get(path)
        return self.stamp_of(path) if known is None or isinstance(known.state, str) else known.state

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

    @recorded()
    def module(self, path: str) -> Module:
        """The file, split into blocks and parsed."""
        return self.parsed(path).module

    def problems(self, path: str) -> tuple[SyntaxProblem, ...]:
        """The code that can't be parsed; everything around it is checked anyway."""
        return self.module(path).errors

    @question(REMEMBERED)
    def imports(self, path: str) -> tuple[Import, ...]:
        """The imports of a file, as written."""
        file = self.parsed(path)
        return tuple(dict.fromkeys(imported for _, imported in imports_in(file.module, file.flow)))

    def destinations(self, path: str) -> tuple[tuple[Import, tuple[str | None, str | None]], ...]:
        """The imports of a file that may lead into the project, and where they lead."""
        return tuple((one, self.destination(path, one)) for one in self.imports(path) if not leads_outside(one))

    @recorded(of_layout=True)
    def destination(self, path: str, imported: Import) -> tuple[str | None, str | None]:
        return super().destination(path, imported)

    def destination_in_project(self, path: str, imported: Import) -> Elsewhere | None:
        """Return where an import in a file leads; None if it isn't a file of the project."""
        self.check_cancelled()
        found, name = self.destination(path, imported)
        return None if found is None else Elsewhere(found, name)

    @recorded(of_layout=True)
    def settings_of(self, path: str) -> Settings:
        return super().settings_of(path)

    @recorded(of_layout=True)
    def tensorflow_of(self, path: str) -> Version:
        return super().tensorflow_of(path)

    @recorded(of_layout=True)
    def keras_of(self, path: str) -> KerasChoice:
        return super().keras_of(path)

    @recorded(of_layout=True)
    def packages_around(self, path: str) -> Sequence[str]:
        return super().packages_around(path)

    @question()
    def imported_files(self, path: str) -> tuple[str, ...]:
        """The files that a file imports from."""
        found = (self.destination_in_project(path, imported) for imported in self.imports(path))
        return tuple(dict.fromkeys(each.file for each in found if each is not None))

    @question(REMEMBERED)
    def outline(self, path: str) -> Outline:
        """The parts of a file that matter to its importers."""
        file = self.parsed(path)
        return outline_of(file.module, file.flow)

    @question(REMEMBERED)
    def asking(self, path: str) -> Text:
        """What the text of a file may look up in other files."""
        with suppress(Unreadable):
            file = self.parsed(path)
            return Text.together([file.flow.text_of(piece) for piece in file.module.pieces])
        return Text.together([])

    def parsed(self, path: str) -> ParsedFile:
        """A file as it is now; pieces whose text is as before are the same objects as before."""
        self._met.add(path)
        known, state = self._parsed.get(path), self.state_of(path)
        if known is not None and state is not None and known.state == state:
            return known
        self.check_cancelled()
        text = self.text(path)
        refuse_long(path, text)
        from_disk = path not in self._buffers and is_notebook(path)
        cells = self._python_of(path) if from_disk else self._cells.get(path)
        if known is not None and known.module.text == text and known.cells == cells:
            known.state = state
            return known
        previous = known.module if known is not None and (known.cells is None) == (cells is None) else None
        module = parse_module(text, previous) if cells is None else parse_cells(cells, previous)
        flow = FlowCache() if known is None else known.flow.kept(module.starts_of.keys())
        self._parsed[path] = ParsedFile(module, flow, state, cells)
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
        """Note that files may have changed; return those that are released because too many are kept: the last query
        didn't use them, nor does who asks.

        Within a query, all that it uses is kept.
        """
        if not self.still:
            self.note_changes(of_layout=False)
        used, released = {*self._met, *self._pinned, *self._buffers}, list[str]()
        self._met.clear()
        if (surplus := len(self._parsed) - REMEMBERED) > 0:
            released = [path for path in self._parsed if path not in used and not is_needed(path)][:surplus]
        for path in released:
            self._parsed.pop(path).flow.dissolve()
        return released

    def pin(self, path: str) -> None:
        """Keep a file's module, however many others are read: its nodes are referred to."""
        self._pinned.add(path)

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
