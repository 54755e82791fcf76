"""A project: its files as they are traced and checked, and what is remembered about them between two questions.

Which files there are, and their texts, is `project_files`'.
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
    """Files under one root and what is known of them. One thread at a time may use it."""

    def __init__(
        self,
        root: Path | None = None,
        settings: Settings | None = None,
        still: bool = False,
        packages: Sequence[Path] = (),
    ) -> None:
        super().__init__(root, settings, still, packages)
        self._traces: dict[str, Trace] = {}
        """Those that the rules have judged, at this look."""
        self._met = set[str]()
        """The files that were looked into, at this look."""
        self._held = set[str]()
        self._cache = ProjectCache()
        self._linker = Linker(weakref.proxy(self), StarImports(weakref.proxy(self)), ChangingFiles(weakref.proxy(self)))
        self._callers = Callers(weakref.proxy(self))
        self._beginnings = Beginnings(weakref.proxy(self))
        self._is_cancelled: Callable[[], bool] = lambda: False

    def set_text(self, path: str, text: str) -> None:
        """An editor's buffer: it counts instead of the file."""
        if path not in self._cache.buffers:
            self.look_again()
        self._cache.cells.pop(path, None)
        self._cache.buffers[path] = text
        self._linker.look()

    def set_cells(self, path: str, cells: Sequence[str]) -> None:
        """An editor's notebook: its cells' Python (`python_of_cell`), one program with a line end after each cell."""
        self.look_again()
        parts = self._cache.cells[path] = tuple(f"{cell}{CELL_SEAM}" for cell in cells)
        self._cache.buffers[path] = "".join(parts)

    def look_again(self) -> None:
        super().look_again()
        self._linker.look()

    def forget(self, path: str) -> None:
        """The buffer is closed; the file counts again."""
        self.look_again()
        self._cache.buffers.pop(path, None)
        self._cache.cells.pop(path, None)
        self._cache.files.pop(path, None)
        self._callers.forget(path)

    def set_aside(self, path: str) -> None:
        """Remember of a file only what those that import it ask; it is traced again when it's next asked about."""
        known = self._cache.files.get(path)
        if known is not None:
            known.flow.dissolve()
            self._cache.files[path] = replace(known, flow=FlowCache(imports=known.flow.imports), trace=None, reports={})

    def hold(self, path: str) -> None:
        """Keep a file's module, however many others are read: somebody refers to its nodes."""
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
        """Something that is another thing where the text is another one."""
        buffer = self._cache.buffers.get(path)
        return self.stamp_of(path) if buffer is None else buffer

    def module(self, path: str) -> Module:
        """The file cut into blocks and parsed."""
        return self._file(path).module

    def problems(self, path: str) -> tuple[SyntaxProblem, ...]:
        """The code that can't be parsed; everything around it is checked all the same."""
        return self.module(path).errors

    def trace(self, path: str, shown: bool = False) -> Trace:
        """What tracing the file saw; where it is `shown`, also what Keras would make of what runs eagerly."""
        self._look()
        return (self._shown if shown else self._traced)(path, self._file(path))

    def check(self, path: str) -> tuple[Diagnostic, ...]:
        """The findings in a file, in the order of the text, by settings and suppressions.

        Where other files call what is in it, they tell what comes of that: the open ones as they are, the others as
        they were when they were last looked at (`refresh_callers`).
        """
        self._look()
        own = self.told(path, path, self.judged(path))
        others, called = self._callers.reports(path)
        return together(own, others, called) if others or called else own.diagnostics

    def whole(self, path: str, shown: bool = False) -> Trace:
        """What the file's own trace saw of its names and constructs, and those of the files that use it."""
        return self._callers.whole(path, self.trace(path, shown))

    def traces_of_callers(self, path: str) -> Mapping[str, Trace]:
        """Those of the files that use a file, by their paths."""
        return self._callers.traces(path)

    def refresh_importers(self) -> None:
        """See which files of the folder import which; what they call is looked at by `refresh_callers`."""
        self._callers.look()

    def refresh_callers(self, path: str) -> bool:
        """Look at what calls a file in those that nobody has open; whether anything is known of it that wasn't."""
        self._look()
        return self._callers.renew(path)

    def callers_are_refreshed(self, path: str) -> bool:
        """Whether what is known of a file's callers is of its newest text; that they have changed isn't seen here."""
        return self._callers.is_refreshed(path)

    def callers_left_out(self, path: str) -> int:
        """How many files use one and aren't analyzed for it: there are too many."""
        return self._callers.left_out(path)

    @contextmanager
    def cancelled_when(self, when: Callable[[], bool]) -> Generator[None]:
        """What takes long raises `Cancelled` once nobody waits for it any more; all that is known stays so."""
        before, self._is_cancelled = self._is_cancelled, when
        try:
            yield
        finally:
            self._is_cancelled = before

    def check_cancelled(self) -> None:
        """Raise `Cancelled` if what is being found out is given up."""
        if self._is_cancelled():
            raise Cancelled

    def telling(self, path: str) -> Telling:
        """What running one file tells of it and of all others that it uses."""
        self._look()
        trace = self.judged(path)
        own = self.told(path, path, trace)
        others = {other: told for other in self._touched(path) if (told := self.told(path, other, trace)).diagnostics}
        exports = self._file(path).used.exports.items() if trace.called else ()
        used = [other for other, left in exports if left is not None and other != path]
        called = {other: found for other in used if (found := called_in(self._file(other).module, trace))}
        return Telling(own, others, called, cut_runs(self._file(path).module, trace))

    def told(self, runner: str, path: str, trace: Trace) -> Report:
        """What a run of one file tells of another, or of itself."""
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
        """The trace of a file, where the rules may have something to judge: what happens in a graph, or is told of
        one."""
        if path not in self._traces:
            file = self._file(path)
            meets = self._may_meet_tensors(path, file)
            self._traces[path] = self._traced(path, file) if meets else _NOTHING_TRACED
        return self._traces[path]

    def _touched(self, runner: str) -> list[str]:
        """The other files that the run of a file has something to tell of."""
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
        """The project with another text in one file and every rule applied; nothing that it runs is noted here."""
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
        """The file that has the project's settings or may have them, if there is one that can be read."""
        with suppress(SettingsError):
            path, _ = settings_table(self.root, self._cache.buffers)
            return None if path is None else str(path)
        return None

    def outline(self, path: str) -> Outline:
        """What of a file counts for those that import it."""
        file = self._file(path)
        if file.outline is None:
            file.outline = outline_of(file.module, file.flow)
        return file.outline

    def needs(self, path: str) -> tuple[tuple[Import, tuple[str | None, str | None]], ...]:
        """What a file imports that may be the project's, and where that leads."""
        return tuple((one, self.first_file(path, one)) for one in self.imports(path) if not leads_outside(one))

    def read_at(self, path: str) -> tuple[int, int] | None:
        """The state on the disk of a file that was read."""
        known = self._cache.files.get(path)
        return self.stamp_of(path) if known is None or known.stamp is None else known.stamp

    def requests_of(self, path: str) -> Iterator[tuple[str, str, Set[str] | None]]:
        """What a look at a file has asked of others: a question, a file, and the names it's about; None is any."""
        file, trace = self._file(path), self.judged(path)
        if trace is _NOTHING_TRACED:
            question, found = BEGINS, self._beginnings.names_asked(path, file.asked)
        else:
            question, found = COUNTS, self._linker.names_requested_by(file.used, trace.starts)
        return ((question, other, names) for other, names in found.items() if other != path)

    def files_requested(self, path: str) -> Set[str]:
        """The files that a look at a file has asked something of, and those that it took to run these."""
        return self._linker.files_requested_by(self._file(path).used) | {other for other, _ in self._file(path).asked}

    def asking(self, path: str) -> Text:
        """What the text of a file may ask of other files."""
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
        """Another question: files on the disk may have changed since the last one."""
        self._traces.clear()
        self._met.clear()
        if not self._still:
            self.look()
            self._linker.look()

    def _is_wanted(self, path: str) -> bool:
        """Whether a file is open, held or looked at, or others may use what it left behind or has told of them."""
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
        """Whether a file may make graphs, or ask others for them, or compute with tensors alone; False is sure."""
        begins = may_begin_a_graph(file.module, file.flow)
        found, file.asked = (True, set()) if begins else self._beginnings.beyond(path)
        return found or ("tensorflow" in file.module.text and not self.imported_files(path))

    def imported_files(self, path: str) -> Set[str]:
        """The files that a file imports from."""
        with suppress(Unreadable):
            return self._linker.imported_files(path).keys()
        return set()

    def lengths_of_followed(self, path: str) -> Mapping[str, int]:
        """The files that the last run of a file has followed, itself included, with the lengths of their texts."""
        files = (path, *self._file(path).used.exports)
        return {each: len(self._cache.files[each].module.text) for each in files if each in self._cache.files}

    def leads(self, path: str, asked: Import) -> Elsewhere | None:
        """Where an import in a file leads, if that is to a file of the project."""
        return self._linker.leads(path, asked)

    def imports(self, path: str) -> Iterable[Import]:
        """What a file imports, as it is written."""
        file = self._file(path)
        if file.imported is None:
            file.imported = dict.fromkeys(asked for _, asked in imports_in(file.module, file.flow))
        return file.imported

    def is_file(self, path: str) -> bool:
        return path in self._cache.buffers or super().is_file(path)


_NOTHING_TRACED = Trace((), ())

_REMEMBERED = 400
"""Of how many files that aren't open the module and its trace are kept."""
