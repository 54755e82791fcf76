"""What the files that use a file see of it and report about it.

Open files run whenever this is needed. Other files are cached as of their last run, and updated when there is time
(`refresh`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace

import gast

from .checking import called_in
from .project_files import is_python
from .reports import Report
from .syntax import Block, Module
from .traced_files import TracedFiles
from .tracing import StartRecording, Trace
from .user_files import Unreadable

MOST_CALLERS = 32
"""The maximum number of files to run for the calls into another one; direct importers come first."""
MOST_OPEN_CALLERS = 16
"""The same for open files, which run while a request waits."""
MOST_TEXT = 1_000_000
"""The maximum number of characters to follow for this, in the files that run and those that they use."""


@dataclass(slots=True, eq=False)
class CallerReport:
    """What the run of one file reports about another, and what it saw of it."""

    trace: Trace
    module: Module
    """The module of the file that the report is about."""
    called: Set[str]
    """The qualified names of the top-level functions of that file that it surely calls."""
    report: Report
    inside: StartRecording | None = None
    """What it saw in that file, once requested."""


@dataclass(slots=True)
class Callers:
    """For each file, what its callers report about it, and which files these are."""

    traced: TracedFiles
    _reports_about: dict[str, dict[str, CallerReport]] = field(default_factory=dict[str, "dict[str, CallerReport]"])
    _refreshed: dict[str, Module] = field(default_factory=dict[str, Module])
    """The state of files when all reports about them were updated."""
    _before: dict[str, Mapping[str, CallerReport]] = field(default_factory=dict[str, "Mapping[str, CallerReport]"])
    """What was known of each file when all reports about it were last updated."""
    _given: dict[str, tuple[Sequence[Report], Set[str]]] = field(
        default_factory=dict[str, "tuple[Sequence[Report], Set[str]]"]
    )
    """The last answer of `reports` about each file."""
    _left_out: dict[str, int] = field(default_factory=dict[str, int])
    """How many callers of each file were left out then."""
    _whole: dict[str, tuple[Sequence[object], Trace]] = field(
        default_factory=dict[str, "tuple[Sequence[object], Trace]"]
    )
    _nodes: dict[str, dict[Block, Set[gast.AST]]] = field(default_factory=dict[str, "dict[Block, Set[gast.AST]]"])

    def fork(self, traced: TracedFiles) -> Callers:
        """Return the same for other files that are mostly equal."""
        copied = {
            path: {caller: replace(each) for caller, each in known.items()}
            for path, known in self._reports_about.items()
        }
        return Callers(traced, copied)

    def reports_by_caller(self, path: str) -> Mapping[str, CallerReport]:
        """The reports about a file by the files that use it; the open ones run now if anything has changed."""
        by_caller = self._reports_about.get(path, {})
        callers = self._open_callers(path)
        if callers:
            for caller in callers:
                with suppress(Unreadable):
                    by_caller[caller] = self._report_of(caller, path)
            # In an order that doesn't tell which was opened first.
            opened = {caller: by_caller.pop(caller) for caller in callers if caller in by_caller}
            by_caller = self._reports_about[path] = {**by_caller, **opened}
        return {caller: each for caller, each in by_caller.items() if caller in callers or not self._is_open(caller)}

    def reports(self, path: str) -> tuple[list[Report], Set[str]]:
        """What other files report about a file, and which of its functions they call.

        Closed files that reported nothing the last time aren't asked again until `refresh`.
        """
        reports, called = list[Report](), set[str]()
        for caller, each in self.reports_by_caller(path).items():
            with suppress(Unreadable):
                if each.report.diagnostics:
                    reports.append(self.traced.report_by(caller, path, each.trace))
                elif not self.traced.sources.is_file(caller):
                    continue
                called |= each.called
        self._given[path] = reports, called
        return reports, called

    def trace_with_callers(self, path: str, own: Trace) -> Trace:
        """The names and constructs of a file in its own run and in those of the files that use it."""
        by_caller = self.reports_by_caller(path)
        if not by_caller:
            return own
        inside = [self._inside(path, each) for each in by_caller.values()]
        key, known = (own, *inside), self._whole.get(path)
        if known is None or len(known[0]) != len(key) or any(a is not b for a, b in zip(known[0], key, strict=True)):
            known = self._whole[path] = key, own.with_others(inside)
        return known[1]

    def traces(self, path: str) -> Mapping[str, Trace]:
        """The traces of the files that use one, each its own program."""
        return {caller: each.trace for caller, each in self.reports_by_caller(path).items()}

    def left_out(self, path: str) -> int:
        """The number of files that use a file and weren't run for it."""
        return self._left_out.get(path, 0)

    def refresh(self, path: str) -> bool:
        """Run the files that use a file, where needed; return True if they know something new about it.

        New is what wasn't known when this was last done, also if somebody has asked for it meanwhile, and what differs
        from what `reports` gave last.
        """
        callers, followed, read = [*self.traced.importers.importers_of(path)], list[str](), dict[str, int]()
        self._keep(path, callers[:MOST_CALLERS])
        for caller in callers[:MOST_CALLERS]:
            if sum(read.values()) > MOST_TEXT:
                break
            self.traced.sources.check_cancelled()
            followed.append(caller)
            with suppress(Unreadable):
                self._reports_about[path][caller] = self._report_of(caller, path)
                read.update(self.traced.lengths_of_followed(caller))
        self._keep(path, followed)
        self._left_out[path] = len({*callers} - self._reports_about[path].keys() - {*followed})
        self._refreshed[path] = self.traced.sources.module(path)
        return self._has_news(path)

    def _keep(self, path: str, callers: Sequence[str]) -> None:
        """Forget the reports about a file by all but these callers and the open files."""
        known = self._reports_about.get(path, {})
        kept = [caller for caller in dict.fromkeys((*callers, *self._open_callers(path))) if caller in known]
        self._reports_about[path] = {caller: known[caller] for caller in kept}

    def _has_news(self, path: str) -> bool:
        # Copies: a report may be brought up to date in place.
        now = {caller: replace(each) for caller, each in self._reports_about[path].items()}
        before, self._before[path] = self._before.get(path, {}), now
        given = self._given.get(path)
        if given is not None and given != self.reports(path):
            return True
        return before.keys() != now.keys() or any(
            # Whoever changes the file itself looks at it again anyway, and sees what open files call now.
            (before[caller].module is each.module or not self._is_open(caller))
            and self._differ(path, before[caller], each)
            for caller, each in now.items()
        )

    def _differ(self, path: str, one: CallerReport, other: CallerReport) -> bool:
        if one.trace is other.trace:
            return one.report != other.report
        first, second = (self._inside(path, each) for each in (one, other))
        return (one.called, one.report, first.values, first.decided) != (
            other.called,
            other.report,
            second.values,
            second.decided,
        )

    def is_refreshed(self, path: str) -> bool:
        """True if the reports about a file are based on its current text."""
        return self._refreshed.get(path) is self.traced.sources.module(path)

    def refers_to(self, path: str) -> bool:
        """True if there are reports about a file, or by it: they refer to the nodes of both."""
        return path in self._reports_about or any(path in by_caller for by_caller in self._reports_about.values())

    def forget(self, path: str) -> None:
        """Forget a file that is no longer needed."""
        for known in (
            self._reports_about,
            self._refreshed,
            self._before,
            self._given,
            self._left_out,
            self._whole,
            self._nodes,
        ):
            known.pop(path, None)

    def _open_callers(self, path: str) -> Sequence[str]:
        """The open files that import a file, directly or through other open files."""
        opened = (each for each in self.traced.sources.opened if each != path and is_python(each))
        imported = {each: self.traced.imported_files(each) for each in opened}
        found: dict[str, None] = {}
        pending = [path]
        while pending and len(found) < MOST_OPEN_CALLERS:
            wanted = pending.pop(0)
            new = [caller for caller, files in imported.items() if wanted in files and caller not in found]
            found.update(dict.fromkeys(new))
            pending += new
        return sorted(found)

    def _is_open(self, path: str) -> bool:
        return path in self.traced.sources.opened

    def _report_of(self, caller: str, path: str) -> CallerReport:
        trace, module = self.traced.trace_to_judge(caller), self.traced.sources.module(path)
        known = self._reports_about.get(path, {}).get(caller)
        # Where it points into other files, these may have changed alone.
        report = self.traced.report_by(caller, path, trace)
        if known is not None and known.trace is trace and known.module is module:
            known.report = report
            return known
        return CallerReport(trace, module, called_in(module, trace), report)

    def _inside(self, path: str, seen: CallerReport) -> StartRecording:
        if seen.inside is None:
            module = seen.module
            blocks = {*module.starts_of, *module.report_blocks}
            seen.inside = seen.trace.inside(self._nodes_of(path, module), blocks)
        return seen.inside

    def _nodes_of(self, path: str, module: Module) -> Set[gast.AST]:
        before = self._nodes.get(path, {})
        known = {piece: before.get(piece) or frozenset(_nodes_in(piece)) for piece in module.pieces}
        self._nodes[path] = known
        return frozenset[gast.AST]().union(*known.values())


def _nodes_in(piece: Block) -> Iterator[gast.AST]:
    for statement in piece.statements:
        yield from gast.walk(statement)
