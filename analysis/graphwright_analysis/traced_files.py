"""The traces of a project's files, and what each run reports about its own file and others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .beginnings import Searched, begins_beyond, names_searched
from .checking import called_in, cut_runs, report
from .importers import Importers
from .linked_runs import Dependencies
from .linking import Linker
from .outlines import Interest
from .queries import Answers
from .reports import Report, RunReports
from .sources import ParsedFile, Sources
from .syntax import Block, Module
from .tracing import FlowCache, Trace, blocks_in, may_begin_a_graph, trace_module
from .user_files import Unreadable


class CachedReport(NamedTuple):
    """What a run reports about a file, and what that depends on."""

    trace: Trace
    answers: Answers
    """What was asked for it: the settings, the texts of the file and of those that its findings point into."""
    report: Report


@dataclass(slots=True, eq=False)
class TracedFile:
    """What is known of one file as it was parsed."""

    parsed: ParsedFile
    flow: FlowCache
    """That of the code that it runs, and what is remembered of the runs."""
    used: Dependencies = field(default_factory=Dependencies)
    """The lookups of the trace in other files."""
    searched: Searched = field(default_factory=Searched)
    """What was looked up in other files to see whether a graph may begin."""
    trace: Trace | None = None
    shown: tuple[Trace, Trace, Dependencies] | None = None
    """The trace, the same with what is only shown, and the lookups of the latter."""
    empty_trace: Trace = field(default_factory=lambda: Trace((), ()))
    """Stands for its trace where there is nothing to judge."""

    @property
    def module(self) -> Module:
        return self.parsed.module

    def drop_old_flow(self) -> None:
        """Keep what is known of the flow of its own blocks and of those that it uses, and nothing else."""
        used = (left.exports.blocks for left in self.used.exports.values() if left is not None)
        self.flow = self.flow.kept({*self.module.starts_of}.union(*used))


@dataclass(slots=True)
class TracedFiles:
    """Runs files when somebody asks, and again when a run would see something else."""

    sources: Sources
    linker: Linker
    importers: Importers
    _files: dict[str, TracedFile] = field(default_factory=dict[str, TracedFile])
    _traces_to_judge: dict[str, Trace] = field(default_factory=dict[str, Trace])
    """The traces to judge, as far as they were asked for in this query."""
    _reports_by: dict[str, dict[str, CachedReport]] = field(default_factory=dict[str, "dict[str, CachedReport]"])
    """What the run of each file reports about it and about others, by their paths; a report keeps the whole trace."""

    def fork(self, sources: Sources, changing: Iterable[str]) -> TracedFiles:
        """Return the same for other sources; its runs of the files that may change don't change these here."""
        other = TracedFiles(sources, self.linker.fork(sources), self.importers, {**self._files})
        other._reports_by = {runner: {**reports} for runner, reports in self._reports_by.items()}
        for path in changing:
            if (parsed := sources.separate(path)) is not None:
                known = self._files.get(path) or TracedFile(parsed, parsed.flow.with_own_memory())
                other._files[path] = replace(known, parsed=parsed)
                other._files[path].drop_old_flow()
        return other

    def begin_query(self, is_needed: Callable[[str], bool]) -> None:
        """Note that files may have changed since the last query, and release those that nobody needs."""
        self._traces_to_judge.clear()
        for path in self.sources.begin_query(lambda path: self.linker.has_run(path) or is_needed(path)):
            self.forget(path)
        if not self.sources.still:
            self.sources.notice_new_files()

    def forget(self, path: str) -> None:
        """Forget the run of a file that nobody needs, and what it reported."""
        self._files.pop(path, None)
        self._reports_by.pop(path, None)

    def set_aside(self, path: str) -> None:
        """Keep only what the importers of a file need; the next query about the file traces it again."""
        known = self._files.get(path)
        if known is not None:
            known.flow.dissolve()
            known.parsed.flow = FlowCache(imports=known.parsed.flow.imports)
            known.flow = known.parsed.flow.with_own_memory()
            known.trace, known.shown = None, None
        self._reports_by.pop(path, None)

    def trace(self, path: str) -> Trace:
        """The current trace of a file."""
        file = self._file(path)
        if file.trace is None or not self.linker.bring_up_to_date(file.used):
            before = file.used.exports
            # All at once: a run that is cancelled leaves what was known.
            file.trace, file.used = self._trace_anew(path, file)
            if before != file.used.exports:
                file.drop_old_flow()
        return file.trace

    def trace_shown(self, path: str) -> Trace:
        """The same, with code that runs eagerly traced as Keras would trace it."""
        trace, file = self.trace(path), self._file(path)
        if file.shown is None or file.shown[0] is not trace or not self.linker.bring_up_to_date(file.shown[2]):
            file.shown = trace, *self._trace_anew(path, file, shown=True)
        return file.shown[1]

    def trace_to_judge(self, path: str) -> Trace:
        """The trace of a file; empty if it surely has nothing to judge: no code in a graph, no report of one."""
        if path not in self._traces_to_judge:
            file = self._file(path)
            self._traces_to_judge[path] = self.trace(path) if self._may_meet_tensors(path, file) else file.empty_trace
        return self._traces_to_judge[path]

    def run_reports(self, path: str) -> RunReports:
        """What running one file reports about it and about all files that it uses.

        The command line, MCP and the process for closed files store this for each file and merge it by path. Editors
        ask for the reports about one file instead (`callers`).
        """
        trace = self.trace_to_judge(path)
        own = self.report_by(path, path, trace)
        others = {
            other: found for other in self._touched(path) if (found := self.report_by(path, other, trace)).diagnostics
        }
        exports = self._file(path).used.exports.items() if trace.called else ()
        used = [other for other, left in exports if left is not None and other != path]
        called = {other: found for other in used if (found := called_in(self.sources.module(other), trace))}
        return RunReports(own, others, called, cut_runs(self.sources.module(path), trace))

    def report_by(self, runner: str, path: str, trace: Trace) -> Report:
        """What a run of one file reports about another, or about itself.

        A run executes functions of other files, so facts of its trace may be about those. The trace of `runner` is
        judged, and what lies in blocks of `path` is kept.
        """
        reports = self._reports_by.setdefault(runner, {})
        known = reports.get(path)
        if known is None or known.trace is not trace or not self.sources.are_current(known.answers):
            if trace is not self._traces_to_judge.get(runner):
                # The trace may be older than the files: their runs tell where the code that it refers to is now.
                for other in self._files_of(runner, trace) - {runner}:
                    self.linker.result_of(other)

            def elsewhere(block: Block) -> tuple[str, Module] | None:
                other = self._file_of(runner, block)
                if other is None or block not in (module := self.sources.module(other)).starts_of:
                    return None
                return other, module

            with self.sources.recording() as answers:
                module, settings = self.sources.module(path), self.sources.settings_of(path)
                found = report(module, trace, settings, elsewhere, runner == path)
            known = reports[path] = CachedReport(trace, answers, found)
        return known.report

    def file_dependencies(self, path: str) -> Iterator[tuple[Interest, str, Set[str] | None]]:
        """The interests of a file's last run in other files, each with the names; None is any name."""
        file, trace = self._file(path), self.trace_to_judge(path)
        if trace is file.empty_trace:
            interest, found = Interest.BEGINS, names_searched(self.sources, path, file.searched)
        else:
            interest, found = Interest.RUNS, self.linker.names_looked_up_by(file.used, trace.starts)
        return ((interest, other, names) for other, names in found.items() if other != path)

    def files_looked_up(self, path: str) -> Set[str]:
        """The files in which the last run of a file looked something up, and those that had to run for that."""
        file = self._file(path)
        return self.linker.files_looked_up_by(file.used) | {other for other, _ in file.searched}

    def imported_files(self, path: str) -> Set[str]:
        """The files that a file imports from."""
        with suppress(Unreadable):
            return frozenset(self.sources.imported_files(path))
        return frozenset()

    def lengths_of_followed(self, path: str) -> Mapping[str, int]:
        """The files that the last run of a file followed, including itself, with the lengths of their texts."""
        followed = {path: None, **self._file(path).used.exports}
        return {each: len(file.module.text) for each in followed if (file := self.sources.known(each)) is not None}

    def _file(self, path: str) -> TracedFile:
        parsed, known = self.sources.parsed(path), self._files.get(path)
        if known is None or known.parsed is not parsed:
            if known is None:
                known = self._files[path] = TracedFile(parsed, parsed.flow.with_own_memory())
            else:
                known = self._files[path] = TracedFile(parsed, known.flow, known.used)
                known.drop_old_flow()
        return known

    def _trace_anew(self, path: str, file: TracedFile, shown: bool = False) -> tuple[Trace, Dependencies]:
        with self.linker.recording(path) as recorder:
            tensorflow, keras = self.sources.tensorflow_of(path), self.sources.keras_of(path)
            trace = trace_module(file.module, file.flow, recorder, tensorflow, path, shown, keras)
        self.linker.close(recorder.used)
        return trace, recorder.used

    def _may_meet_tensors(self, path: str, file: TracedFile) -> bool:
        """False if a file surely creates no graphs, requests none from others, and doesn't compute with tensors."""
        begins = may_begin_a_graph(file.module, file.flow)
        found, file.searched = (True, Searched()) if begins else begins_beyond(self.sources, path)
        return found or ("tensorflow" in file.module.text and not self.imported_files(path))

    def _touched(self, runner: str) -> list[str]:
        """The other files about which the run of a file may report something."""
        others = self._files_of(runner, self.trace_to_judge(runner)) - {runner}
        return sorted(file for file in others if not self.sources.is_installed(file))

    def _files_of(self, runner: str, trace: Trace) -> Set[str]:
        """The files whose code a trace refers to; a block that no other file has is the runner's own."""
        blocks = frozenset[Block]().union(*(seen.blocks for seen in trace.starts), blocks_in(trace.gathered))
        return {self.linker.file_of.get(block, runner) for block in blocks}

    def _file_of(self, runner: str, block: Block) -> str | None:
        return runner if block in self.sources.module(runner).starts_of else self.linker.file_of.get(block)
