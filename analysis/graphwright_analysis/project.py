"""A project: what its files report, and what an editor asks about them."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path

from .callers import Callers
from .diagnostics import Diagnostic
from .importers import Importers
from .linking import Linker
from .reports import RunReports, merged
from .settings import EVERY_RULE, Settings
from .sources import Sources
from .syntax import Module
from .traced_files import TracedFiles
from .tracing import Trace


class Project:
    """The files under one root, and what is known about them. Only one thread at a time may use it."""

    __slots__ = ("_callers", "sources", "traced")

    def __init__(
        self,
        root: Path | None = None,
        settings: Settings | None = None,
        still: bool = False,
        packages: Sequence[Path] = (),
    ) -> None:
        sources = self.sources = Sources(root, settings, still, packages)
        self.traced = TracedFiles(sources, Linker(sources), Importers(sources))
        self._callers = Callers(self.traced)

    def set_text(self, path: str, text: str) -> None:
        """Use the text of an editor's buffer instead of the file."""
        self.sources.set_text(path, text)

    def set_cells(self, path: str, cells: Sequence[str]) -> None:
        """Use the cells of an editor's notebook (`python_of_cell`): one program, with a line end after each cell."""
        self.sources.set_cells(path, cells)

    def look_again(self) -> None:
        """Note that files or settings have changed on the disk."""
        self.sources.look_again()

    def forget(self, path: str) -> None:
        """Drop the buffer of a closed document, and use the file again."""
        self.sources.forget(path)
        self.traced.forget(path)
        self._callers.forget(path)

    def set_aside(self, path: str) -> None:
        """Keep only what the importers of a file need; the next query about the file traces it again."""
        self.traced.set_aside(path)

    def text(self, path: str) -> str:
        """The buffer, or the text of the file; raises `Unreadable`."""
        return self.sources.text(path)

    def module(self, path: str) -> Module:
        """The file, split into blocks and parsed."""
        self.sources.notice_change(path)
        return self.sources.module(path)

    def trace(self, path: str, shown: bool = False) -> Trace:
        """Trace a file; if `shown`, also as Keras would trace what runs eagerly."""
        self._begin_query()
        return self.traced.trace_shown(path) if shown else self.traced.trace(path)

    def trace_with_callers(self, path: str, shown: bool = False) -> Trace:
        """What its own trace and those of the files that use it saw of a file's names and constructs."""
        return self._callers.trace_with_callers(path, self.trace(path, shown))

    def check(self, path: str) -> tuple[Diagnostic, ...]:
        """The findings in a file, in the order of the text, by settings and suppression comments.

        Includes findings from calls in other files: open files as they are, others as of their last run
        (`refresh_callers`).
        """
        self._begin_query()
        own = self.traced.report_by(path, path, self.traced.trace_to_judge(path))
        others, called = self._callers.reports(path)
        if not (others or called or own.unless_imported):
            return own.diagnostics
        return merged(own, others, called, lambda: self.traced.importers.is_imported(path))

    def run_reports(self, path: str) -> RunReports:
        """What running one file reports about it and about all files that it uses."""
        self._begin_query()
        return self.traced.run_reports(path)

    def needed_files(self, path: str) -> Mapping[str, tuple[int, int] | None]:
        """The files that determine what a run of a file reports, itself included, as they were when they were read."""
        needed = dict.fromkeys((path, *self.traced.imported_files(path), *self.traced.files_looked_up(path)))
        return {each: self.sources.read_at(each) for each in needed}

    def traces_of_callers(self, path: str) -> Mapping[str, Trace]:
        """The traces of the files that use a file, by path."""
        return self._callers.traces(path)

    def refresh_importers(self) -> None:
        """Find out which files of the folder import which; `refresh_callers` analyzes what they call."""
        self._begin_query()
        self.traced.importers.refresh()

    def imported_among(self, paths: Set[str]) -> Set[str]:
        """Those of the files that another file of the folder imports."""
        if paths:
            self.refresh_importers()
        return {path for path in paths if self.traced.importers.is_imported(path)}

    def importers_of(self, paths: Iterable[str]) -> Set[str]:
        """The files of the folder that import one of these, be it through others."""
        self.refresh_importers()
        return {importer for path in paths for importer in self.traced.importers.importers_of(path)}

    def refresh_callers(self, path: str) -> bool:
        """Analyze calls into a file from closed files; return True if they report something new about it."""
        self._begin_query()
        return self._callers.refresh(path)

    def callers_are_refreshed(self, path: str) -> bool:
        """True if what is known of a file's callers is based on its current text, even if the callers have changed."""
        return self._callers.is_refreshed(path)

    def callers_left_out(self, path: str) -> int:
        """The number of files that use a file but aren't analyzed for it, because there are too many."""
        return self._callers.left_out(path)

    def supposing(self, path: str, text: str, runner: str | None = None) -> Project:
        """Return a project with a different text in one file and all rules enabled; its runs don't change this one."""
        sources = self.sources.fork(path, text, EVERY_RULE)
        other = copy.copy(self)
        other.sources = sources
        other.traced = self.traced.fork(sources, {path, runner or path, *self.sources.opened})
        other._callers = self._callers.fork(other.traced)
        return other

    def _begin_query(self) -> None:
        self.traced.begin_query(self._callers.refers_to)
