"""The last runs of several files: what each reported, what determined it, and what they together say about one file.

For those that check files one by one and merge by file: the command line, MCP and the process for closed files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from .diagnostics import Diagnostic
from .immutability import immutable
from .reports import Report, RunReports, merged


@immutable
class KnownRun:
    """What the run of a file reported, and the state of each file that determined it, at that time."""

    reports: RunReports
    needed: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def others(self) -> Set[str]:
        """The other files that it reports about, or whose functions it calls."""
        return self.reports.others.keys() | self.reports.called.keys()


@dataclass(slots=True, eq=False)
class KnownRuns:
    """The last run of each file, by path."""

    _runs: dict[str, KnownRun] = field(default_factory=dict[str, KnownRun])
    _runners: dict[str, set[str]] = field(default_factory=dict[str, "set[str]"])
    """For each file, the others whose runs say something about it."""
    _doubted: set[str] = field(default_factory=set[str])
    """Files that must run again though what determined their runs is the same."""
    imported: Set[str] = frozenset()
    """Of the files that `hinge_on_importers`, those that another file imports."""

    def items(self) -> Iterable[tuple[str, KnownRun]]:
        """All files whose runs are known, with these."""
        return self._runs.items()

    def get(self, path: str) -> KnownRun | None:
        """The last run of a file, if it's known."""
        return self._runs.get(path)

    def put(self, path: str, run: KnownRun) -> None:
        """Store the last run of a file."""
        self.forget(path)
        self._runs[path] = run
        for other in run.others:
            self._runners.setdefault(other, set()).add(path)

    def forget(self, path: str) -> None:
        """Forget the run of a file, as if it had never been checked."""
        run = self._runs.pop(path, None)
        self._doubted.discard(path)
        for other in () if run is None else run.others:
            self._runners[other].discard(path)

    def doubt(self, paths: Iterable[str]) -> None:
        """Note that files must run again: settings differ, or files have come to which their imports may lead."""
        self._doubted.update(path for path in paths if path in self._runs)

    def outdated(self, paths: Iterable[str], state_of: Callable[[str], object]) -> Iterator[str]:
        """Those of the files that must run: the last run is unknown or doubted, or what determined it has changed."""
        states = dict[str, object]()
        for path in paths:
            run = self._runs.get(path)
            if run is None or path in self._doubted:
                yield path
                continue
            for needed, state in run.needed.items():
                if needed not in states:
                    states[needed] = state_of(needed)
                if states[needed] != state:
                    yield path
                    break

    def runners(self, path: str) -> list[str]:
        """The other files whose runs say something about a file, in a fixed order."""
        return sorted(self._runners.get(path, ()))

    def reports_about(self, path: str) -> Mapping[str, Report]:
        """What the runs of other files report about a file."""
        runs = {runner: self._runs[runner].reports.others for runner in self.runners(path)}
        return {runner: others[path] for runner, others in runs.items() if path in others}

    def called_in(self, path: str) -> Set[str]:
        """The functions of a file that the runs of other files call."""
        called = (self._runs[runner].reports.called.get(path, ()) for runner in self._runners.get(path, ()))
        return frozenset[str]().union(*called)

    @property
    def hinge_on_importers(self) -> set[str]:
        """The files of which something is reported only unless another file imports them."""
        return {path for path, run in self._runs.items() if run.reports.own.unless_imported}

    def findings(self, path: str) -> tuple[Diagnostic, ...]:
        """The findings in a file whose run is known, by its own run and by those of others."""
        own, others = self._runs[path].reports.own, self.reports_about(path).values()
        return merged(own, others, self.called_in(path), lambda: path in self.imported)
