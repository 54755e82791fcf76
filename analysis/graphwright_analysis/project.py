"""A project: its files as they are traced and checked, and what is cached about them between queries.

Which files there are, and their texts, is up to `project_files`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from .beginnings import Beginnings
from .callers import Callers
from .changing_files import ChangingFiles
from .checking import called_in, cut_runs, report
from .diagnostics import Diagnostic
from .imports import Import, leads_outside
from .left_behind import Dependencies
from .linking import Linker
from .notebooks import CELL_SEAM, is_notebook
from .outlines import BEGINS, COUNTS, Outline, Text
from .project_files import Cancelled, Folder, plain_ends, refuse_long
from .remembered import CachedReport, FileCache, ProjectCache
from .reports import Report, Telling, together
from .settings import EVERY_RULE, Settings, SettingsError
from .settings_files import settings_table
from .star_imports import StarImports
from .syntax import Block, Module, SyntaxProblem, parse_cells, parse_module, python_of_cell
from .tracing import (
    FlowCache,
    Trace,
    blocks_in,
    imports_in,
    may_begin_a_graph,
    outline_of,
    trace_module,
)
from .user_files import Unreadable
from .values.elsewhere import Elsewhere


class Project(Folder):
    """The files under one root, and what is known about them. Only one thread at a time may use it."""

    def __init__(
        self,
        root: Path | None = None,
        settings: Settings | None = None,
        still: bool = False,
        packages: Sequence[Path] = (),
    ) -> None:
        super().__init__(root, settings, still, packages)
        self._traces: dict[str, Trace] = {}
        """The traces that the rules have judged in this query."""
        self._met = set[str]()
        """The files that were used in this query."""
        self._held = set[str]()
        self._cache = ProjectCache()
        self._linker = Linker(weakref.proxy(self), StarImports(weakref.proxy(self)), ChangingFiles(weakref.proxy(self)))
        self._callers = Callers(weakref.proxy(self))
        self._beginnings = Beginnings(weakref.proxy(self))
        self._is_cancelled: Callable[[], bool] = lambda: False

    def set_text(self, path: str, text: str) -> None:
        """Use the text of an editor's buffer instead of the file."""
        if path not in self._cache.buffers:
            self.look_again()
        self._cache.cells.pop(path, None)
        self._cache.buffers[path] = text
        self._linker.look()

    def set_cells(self, path: str, cells: Sequence[str]) -> None:
        """Use the cells of an editor's notebook (`python_of_cell`): one program, with a line end after each cell."""
        self.look_again()
        parts = self._cache.cells[path] = tuple(f"{cell}{CELL_SEAM}" for cell in cells)
        self._cache.buffers[path] = "".join(parts)

    def look_again(self) -> None:
        super().look_again()
        self._linker.look()

    def forget(self, path: str) -> None:
        """Drop the buffer of a closed document, and use the file again."""
        self.look_again()
        self._cache.buffers.pop(path, None)
        self._cache.cells.pop(path, None)
        self._cache.files.pop(path, None)
        self._callers.forget(path)

    def set_aside(self, path: str) -> None:
        """Keep only what the importers of a file need; the next query about the file traces it again."""
        known = self._cache.files.get(path)
        if known is not None:
            known.flow.dissolve()
            self._cache.files[path] = replace(known, flow=FlowCache(imports=known.flow.imports), trace=None, reports={})

    def hold(self, path: str) -> None:
        """Keep a file's module, however many others are read: its nodes are referred to."""
        self._held.add(path)

    def text(self, path: str) -> str:
        """The buffer, or the text of the file; raises `Unreadable`."""
        buffer = self._cache.buffers.get(path)
        if buffer is not None:
            return plain_ends(buffer)
        return "".join(self._python_of(path)) if is_notebook(path) else super().text(path)

    def _python_of(self, path: str) -> tuple[str, ...]:
        return tuple(python_of_cell(cell.source) + CELL_SEAM for cell in self.cells(path))

    def state_of(self, path: str) -> object:
        """Return an object that changes whenever the text does."""
        buffer = self._cache.buffers.get(path)
        return self.stamp_of(path) if buffer is None else buffer

    def module(self, path: str) -> Module:
        """The file, split into blocks and parsed."""
        return self._file(path).module

    def problems(self, path: str) -> tuple[SyntaxProblem, ...]:
        """The code that can't be parsed; everything around it is checked anyway."""
        return self.module(path).errors

    def trace(self, path: str, shown: bool = False) -> Trace:
        """Trace a file; if `shown`, also as Keras would trace what runs eagerly."""
        self._look()
        return (self._shown if shown else self._traced)(path, self._file(path))

    def check(self, path: str) -> tuple[Diagnostic, ...]:
        """The findings in a file, in the order of the text, by settings and suppression comments.

        Includes findings from calls in other files: open files as they are, others as of their last run
        (`refresh_callers`).
        """
        self._look()
        own = self.told(path, path, self.judged(path))
        others, called = self._callers.reports(path)
        return together(own, others, called) if others or called else own.diagnostics

    def whole(self, path: str, shown: bool = False) -> Trace:
        """What its own trace and those of the files that use it saw of a file's names and constructs."""
        return self._callers.whole(path, self.trace(path, shown))

    def traces_of_callers(self, path: str) -> Mapping[str, Trace]:
        """The traces of the files that use a file, by path."""
        return self._callers.traces(path)

    def refresh_importers(self) -> None:
        """Find out which files of the folder import which; `refresh_callers` analyzes what they call."""
        self._callers.look()

    def refresh_callers(self, path: str) -> bool:
        """Analyze calls into a file from closed files; return True if they report something new about it."""
        self._look()
        return self._callers.renew(path)

    def callers_are_refreshed(self, path: str) -> bool:
        """True if what is known of a file's callers is based on its current text, even if the callers have changed."""
        return self._callers.is_refreshed(path)

    def callers_left_out(self, path: str) -> int:
        """The number of files that use a file but aren't analyzed for it, because there are too many."""
        return self._callers.left_out(path)

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

    def telling(self, path: str) -> Telling:
        """What running one file reports about it and about all files that it uses."""
        self._look()
        trace = self.judged(path)
        own = self.told(path, path, trace)
        others = {other: told for other in self._touched(path) if (told := self.told(path, other, trace)).diagnostics}
        exports = self._file(path).used.exports.items() if trace.called else ()
        used = [other for other, left in exports if left is not None and other != path]
        called = {other: found for other in used if (found := called_in(self._file(other).module, trace))}
        return Telling(own, others, called, cut_runs(self._file(path).module, trace))

    def told(self, runner: str, path: str, trace: Trace) -> Report:
        """What a run of one file reports about another, or about itself."""
        file = self._file(path)
        known = file.reports.get(runner)
        settings = self.settings_of(path)
        like = known is not None and known[:2] == (settings, trace)
        if known is None or not like or any(self._file(at).module is not was for at, was in known.modules.items()):
            modules = {path: file.module}

            def elsewhere(block: Block) -> tuple[str, Module] | None:
                other = self._file_of(runner, block)
                if other is None or block not in (module := self._file(other).module).starts_of:
                    return None
                modules[other] = module
                return other, module

            used = self._callers.is_imported
            found = report(file.module, trace, settings, elsewhere, lambda: runner == path and not used(path))
            known = file.reports[runner] = CachedReport(settings, trace, modules, found)
        return known.report

    def judged(self, path: str) -> Trace:
        """Trace a file if the rules may have something to judge: code in a graph, or reports about one."""
        if path not in self._traces:
            file = self._file(path)
            meets = self._may_meet_tensors(path, file)
            self._traces[path] = self._traced(path, file) if meets else _NOTHING_TRACED
        return self._traces[path]

    def _touched(self, runner: str) -> list[str]:
        """The other files about which the run of a file may report something."""
        trace = self.judged(runner)
        blocks = frozenset[Block]().union(*(seen.blocks for seen in trace.starts), blocks_in(trace.gathered))
        files = (self._linker.file_of.get(block, runner) for block in blocks)
        return sorted(file for file in {*files} - {runner} if not self.is_installed(file))

    def _file_of(self, runner: str, block: Block) -> str | None:
        return runner if block in self._file(runner).module.starts_of else self._linker.file_of.get(block)

    @property
    def opened(self) -> Iterable[str]:
        return self._cache.buffers.keys()

    def supposing(self, path: str, text: str, runner: str | None = None) -> Project:
        """Return a project with a different text in one file and all rules enabled; its runs don't change this one."""
        other = Project(self.root, EVERY_RULE.over(self.settings), self._still, self.packages)
        other.overrides, other.on_bad_settings = EVERY_RULE, self.on_bad_settings
        other._cache = ProjectCache({**self._cache.buffers, path: text}, {**self._cache.cells}, {**self._cache.files})
        other._cache.cells.pop(path, None)
        other._linker = self._linker.beside(weakref.proxy(other))
        other._callers = self._callers.beside(weakref.proxy(other))
        other._is_cancelled = self._is_cancelled
        for each in self._cache.files.keys() & {path, runner, *self._cache.buffers}:
            file = other._cache.files[each] = replace(self._cache.files[each], reports={})
            file.flow = file.flow.kept(file.blocks)
        return other

    def _configuration_text(self, path: str) -> str | None:
        return self._cache.buffers.get(path) or super()._configuration_text(path)

    def settings_file(self) -> str | None:
        """The file that has the project's settings or may have them, if there is a readable one."""
        with suppress(SettingsError):
            path, _ = settings_table(self.root, self._cache.buffers)
            return None if path is None else str(path)
        return None

    def outline(self, path: str) -> Outline:
        """The parts of a file that matter to its importers."""
        file = self._file(path)
        if file.outline is None:
            file.outline = outline_of(file.module, file.flow)
        return file.outline

    def needs(self, path: str) -> tuple[tuple[Import, tuple[str | None, str | None]], ...]:
        """The imports of a file that may lead into the project, and where they lead."""
        return tuple((one, self.first_file(path, one)) for one in self.imports(path) if not leads_outside(one))

    def read_at(self, path: str) -> tuple[int, int] | None:
        """The state on the disk of a file when it was read."""
        known = self._cache.files.get(path)
        return self.stamp_of(path) if known is None or known.stamp is None else known.stamp

    def requests_of(self, path: str) -> Iterator[tuple[str, str, Set[str] | None]]:
        """The lookups of a file's last run in other files: question, file, and names; None is any name."""
        file, trace = self._file(path), self.judged(path)
        if trace is _NOTHING_TRACED:
            question, found = BEGINS, self._beginnings.names_asked(path, file.asked)
        else:
            question, found = COUNTS, self._linker.names_requested_by(file.used, trace.starts)
        return ((question, other, names) for other, names in found.items() if other != path)

    def files_requested(self, path: str) -> Set[str]:
        """The files in which the last run of a file looked something up, and those that had to run for that."""
        return self._linker.files_requested_by(self._file(path).used) | {other for other, _ in self._file(path).asked}

    def asking(self, path: str) -> Text:
        """What the text of a file may look up in other files."""
        with suppress(Unreadable):
            return self._file(path).asking
        return Text.together([])

    def _file(self, path: str) -> FileCache:
        self._met.add(path)
        known = self._cache.files.get(path)
        buffer = self._cache.buffers.get(path)
        stamp = self.stamp_of(path) if buffer is None else None
        as_read = known is not None and (known.stamp == stamp if buffer is None else known.buffer is buffer)
        if known is not None and as_read and (stamp, buffer) != (None, None):
            return known
        self.check_cancelled()
        text = self.text(path)
        refuse_long(path, text)
        from_disk = buffer is None and is_notebook(path)
        cells = self._python_of(path) if from_disk else self._cache.cells.get(path)
        if known is not None and known.module.text == text and known.cells == cells:
            known.stamp, known.buffer = stamp, buffer
            return known
        previous = known.module if known is not None and (known.cells is None) == (cells is None) else None
        module = parse_module(text, previous) if cells is None else parse_cells(cells, previous)
        if known is None:
            file = FileCache(module, FlowCache(), stamp, buffer, cells)
        else:
            file = FileCache(module, known.flow, stamp, buffer, cells, known.used)
            file.flow = known.flow.kept(file.blocks)
        self._cache.files[path] = file
        if len(self._cache.files) > _REMEMBERED:
            closed = (other for other in self._cache.files if other != path and not self._is_wanted(other))
            released = self._cache.files.pop(next(closed, ""), None)
            if released is not None:
                released.flow.dissolve()
        return file

    def _look(self) -> None:
        """Begin a query: files on the disk may have changed since the last one."""
        self._traces.clear()
        self._met.clear()
        if not self._still:
            self.look()
            self._linker.look()

    def _is_wanted(self, path: str) -> bool:
        """True if a file is open, held or used in this query, or others may use its exports or reports."""
        asked = path in self._met or path in self._held
        return asked or path in self._cache.buffers or self._linker.has_run(path) or self._callers.refers_to(path)

    def _traced(self, path: str, file: FileCache) -> Trace:
        libraries = self.tensorflow_of(path), self.keras_of(path)
        if file.trace is None or file.libraries != libraries or not self._linker.is_current(file.used):
            before, file.libraries = file.used.exports, libraries
            file.trace, file.used = self._run(path, file)
            if before != file.used.exports:
                file.flow = file.flow.kept(file.blocks)
        return file.trace

    def _shown(self, path: str, file: FileCache) -> Trace:
        trace, known = self._traced(path, file), file.shown
        if known is None or known[0] is not trace or not self._linker.is_current(known[2]):
            known = file.shown = trace, *self._run(path, file, shown=True)
        return known[1]

    def _run(self, path: str, file: FileCache, shown: bool = False) -> tuple[Trace, Dependencies]:
        reader = self._linker.reader(path)
        trace = trace_module(file.module, file.flow, reader, self.tensorflow_of(path), path, shown, self.keras_of(path))
        self._linker.close(reader.used)
        return trace, reader.used

    def _may_meet_tensors(self, path: str, file: FileCache) -> bool:
        """False if a file surely creates no graphs, requests none from others, and doesn't compute with tensors."""
        begins = may_begin_a_graph(file.module, file.flow)
        found, file.asked = (True, set()) if begins else self._beginnings.beyond(path)
        return found or ("tensorflow" in file.module.text and not self.imported_files(path))

    def imported_files(self, path: str) -> Set[str]:
        """The files that a file imports from."""
        with suppress(Unreadable):
            return self._linker.imported_files(path).keys()
        return set()

    def lengths_of_followed(self, path: str) -> Mapping[str, int]:
        """The files that the last run of a file followed, including itself, with the lengths of their texts."""
        files = (path, *self._file(path).used.exports)
        return {each: len(self._cache.files[each].module.text) for each in files if each in self._cache.files}

    def leads(self, path: str, asked: Import) -> Elsewhere | None:
        """Return where an import in a file leads, if it is a file of the project."""
        return self._linker.leads(path, asked)

    def imports(self, path: str) -> Iterable[Import]:
        """The imports of a file, as written."""
        file = self._file(path)
        if file.imported is None:
            file.imported = dict.fromkeys(asked for _, asked in imports_in(file.module, file.flow))
        return file.imported

    def is_file(self, path: str) -> bool:
        return path in self._cache.buffers or super().is_file(path)


_NOTHING_TRACED = Trace((), ())

_REMEMBERED = 400
"""The number of closed files whose module and trace are cached."""
