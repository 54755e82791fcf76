"""Links the files of a project while they are traced: the exports of each for its importers.

A file runs for its importers, its top level only, when one of them first looks something up in it.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from .changing_files import changes_of
from .imports import Import
from .linked_runs import Dependencies, LinkedRun, ModuleResult, SharedCells
from .sources import Sources
from .star_imports import binders_of
from .syntax import Block, Module
from .tracing import (
    ANY_NAME,
    CellsOfOthers,
    Exports,
    FlowCache,
    Links,
    StarLookup,
    StartRecording,
    exports_of,
    names_read_in,
)
from .user_files import Unreadable
from .values.domain import Object
from .values.elsewhere import Elsewhere
from .values.keras_choice import decides_keras

DEEPEST = 20
"""The maximum number of files running inside one another, each because of a lookup by the previous one."""


@dataclass(slots=True)
class Linker:
    """Provides the exports of files to one another."""

    sources: Sources
    cells: SharedCells = field(default_factory=SharedCells)
    frames: dict[int, Any] = field(default_factory=dict[int, Any])
    """The frames of the files that have run, by number."""
    report_blocks: dict[Block, Any] = field(default_factory=dict[Block, Any])
    """For each block that was traced and has moved since, where its code is now."""
    file_of: dict[Block, str] = field(default_factory=dict[Block, str])
    """The file that each block belongs to, parsed or traced."""
    modules: dict[int, str] = field(default_factory=dict[int, str])
    """The files whose modules were asked for, by the numbers of these."""
    _runs: dict[str, LinkedRun] = field(default_factory=dict[str, LinkedRun])
    _flows: dict[str, FlowCache] = field(default_factory=dict[str, FlowCache])
    _seen: dict[str, ModuleResult | None] = field(default_factory=dict[str, "ModuleResult | None"])
    """The results that are surely current at a revision of the sources."""
    _seen_at: int = -1
    _running: dict[str, ModuleResult | None] = field(default_factory=dict[str, "ModuleResult | None"])
    """The files that are running, each inside the previous one, with their exports so far."""
    _meanwhile: dict[str, ModuleResult | None] = field(default_factory=dict[str, "ModuleResult | None"])
    """What was found about files in an import cycle, until the first of them is done."""
    _in_circle: set[str] = field(default_factory=set[str])
    _is_copy: bool = False
    """True if the exports are shared with another linker, and must not be changed."""

    def fork(self, sources: Sources) -> Linker:
        """Return a linker for other files that are mostly the same."""
        return Linker(
            sources,
            self.cells.copy(),
            dict(self.frames),
            dict(self.report_blocks),
            dict(self.file_of),
            dict(self.modules),
            dict(self._runs),
            dict(self._flows),
            _is_copy=True,
        )

    @contextmanager
    def recording(self, path: str) -> Generator[DependencyRecorder]:
        """Run a file within this context: what it asks is recorded."""
        recorder = DependencyRecorder(self, path)
        with self.sources.recording(recorder.used.answers):
            yield recorder

    def bring_up_to_date(self, used: Dependencies) -> bool:
        """Run again the files whose results may differ; return True if every recorded lookup gives the same answer."""
        # Without a short circuit: a run that follows reads the new results of all of them.
        same = [*map(self.result_of, used.exports)] if not self._is_surely_current(used) else [*used.exports.values()]
        if any(now is not found for now, found in zip(same, used.exports.values(), strict=True)):
            return False
        return self.sources.are_current(used.answers)

    def _is_surely_current(self, used: Dependencies) -> bool:
        """True if no file used, directly or indirectly, has to run again; runs none, and may miss that none has to."""
        if self._running:
            return False
        with suppress(Unreadable):
            return self._all_unchanged(used)
        return False

    def _all_unchanged(self, used: Dependencies) -> bool:
        runs = {file: self._runs.get(file) for file in used.exports}
        for file, run in runs.items():
            if run is None or used.exports[file] is not run.result:
                return False
            if self.sources.module(file) is not run.module or not self.sources.are_current(run.used.answers):
                return False
        inside = (pair for run in runs.values() if run is not None for pair in run.used.exports.items())
        if any(used.exports.get(file) is not result for file, result in inside):
            return False
        self._current_results().update(used.exports)
        return True

    def names_looked_up_by(self, used: Dependencies, starts: Iterable[StartRecording]) -> dict[str, Set[str] | None]:
        """The names that a run, and the runs it needed, looked up in other files; None is any name."""
        modules = {run.result.exports.frame.id: file for file, run in self._runs.items()}
        inside = (part for run in self._runs_for(used) for part in (run.used.lookups, run.looked_up(modules)))
        found: dict[str, Set[str] | None] = {}
        for file, name in used.lookups.union(names_read_in(modules, starts), *inside):
            names = found.get(file, frozenset())
            found[file] = None if names is None or name == ANY_NAME else names if name is None else names | {name}
        return found

    def files_looked_up_by(self, used: Dependencies) -> Set[str]:
        """The files in which a run, and the runs it needed, looked something up."""
        lookups = used.lookups.union(*(run.used.lookups for run in self._runs_for(used)))
        return used.exports.keys() | {file for file, _ in lookups}

    def _runs_for(self, used: Dependencies) -> Iterator[LinkedRun]:
        return (run for file in used.exports if (run := self._runs.get(file)) is not None)

    def close(self, used: Dependencies) -> None:
        """Add the dependencies of the used files: their exports may refer to them."""
        pending, parts, known = [*used.exports], [used.exports], dict(used.exports)
        while pending:
            run = self._runs.get(pending.pop())
            if run is not None and (new := run.used.exports.keys() - known.keys()):
                pending += new
                parts.append(run.used.exports)
                known.update((file, run.used.exports[file]) for file in new)
        used.exports = {file: known[file] for part in reversed(parts) for file in part}

    def result_of(self, path: str) -> ModuleResult | None:
        """The exports of a file, or those so far if it is running; None if it can't be read."""
        current = self._current_results()
        if path in current:
            return current[path]
        if path in self._running:
            self._in_circle.update([*self._running][[*self._running].index(path) + 1 :])
            result = self._running[path]
            if result is not None:
                self._publish(path, result.exports)
            return result
        if path in self._meanwhile:
            return self._meanwhile[path]
        if len(self._running) == DEEPEST:
            return None
        with self.sources.recording():
            # What it asks doesn't matter to who asks for its result.
            return self._current_result(path)

    def _current_results(self) -> dict[str, ModuleResult | None]:
        if self._seen_at != self.sources.revision:
            self._seen, self._seen_at = {}, self.sources.revision
        return self._seen

    def module(self, path: str) -> Object:
        """The module that a file is, whether it has run or not."""
        number = self._flows.setdefault(path, FlowCache()).memory.number
        self.modules[number] = path
        return Object(number, "module")

    def begun(self, path: str, exports: Exports) -> None:
        """Note that a file is running; the files that it imports may look up its exports so far."""
        if (result := self._running[path]) is None:
            self._running[path] = ModuleResult(exports)
        else:
            result.exports = exports

    def _current_result(self, path: str) -> ModuleResult | None:
        known = self._runs.get(path)
        self._running[path] = found = None if known is None else known.result
        try:
            module = self.sources.module(path)
            if known is None or known.module is not module or not self.bring_up_to_date(known.used):
                found = self._run_for_importers(path, module)
        except Unreadable:
            found = None
            self._drop(path)
        except BaseException:
            self._meanwhile.clear()
            self._in_circle.clear()
            raise
        finally:
            del self._running[path]
        if not self._running:
            for run in [self._runs[other] for other in self._in_circle if other in self._runs]:
                self.close(run.used)
            self._meanwhile.clear()
            self._in_circle.clear()
        if path in self._in_circle:
            self._meanwhile[path] = found
        else:
            self._current_results()[path] = found
        return found

    def _run_for_importers(self, path: str, module: Module) -> ModuleResult:
        package = os.path.join(os.path.dirname(path), "__init__.py")
        if package != path and self.sources.is_file(package):
            # As in Python, a package comes before what is in it: so a circle is always entered at the same place.
            self.result_of(package)
        before, flow = self._runs.pop(path, None), self._flows.get(path, FlowCache())
        if before is None or before.module is not module:
            flow = self._flows[path] = flow.kept(module.starts_of.keys())
        old = None if before is None else before.result.exports
        if old is not None:
            self._running[path] = ModuleResult(old) if self._is_copy else self._running[path]
            self._forget(path, old)
        try:
            result, used = self._rerun(path, module, flow, old)
        except BaseException:
            if before is not None and old is not None:
                # It was given up: what is known is what was known.
                before.result.exports = old
                self._publish(path, old)
                self._runs[path] = before
            raise
        self._publish(path, result.exports)
        self.close(used)
        self._runs[path] = LinkedRun(module, result, used, tuple(flow.memory.starts.values()))
        return result

    def _rerun(
        self, path: str, module: Module, flow: FlowCache, old: Exports | None
    ) -> tuple[ModuleResult, Dependencies]:
        depends_on_it, self._in_circle = self._in_circle, set()
        self._meanwhile.clear()
        with self.recording(path) as recorder:
            exports = exports_of(module, flow, recorder, self.sources.tensorflow_of(path), path)
        result = self._running[path] or ModuleResult(exports)
        if old is not None and not exports.equals_exports(old):
            result = self._running[path] = ModuleResult(exports)
            if self._in_circle:
                # Those in the circle have seen what it was before.
                self._meanwhile.clear()
                with self.recording(path) as recorder:
                    exports = exports_of(module, flow, recorder, self.sources.tensorflow_of(path), path)
        result.exports = exports
        self._in_circle |= depends_on_it
        return result, recorder.used

    def _publish(self, path: str, exports: Exports) -> None:
        self.cells.publish(path, exports)
        self.frames.update(exports.frames)
        self.report_blocks.update(exports.report_blocks)
        self.file_of.update(dict.fromkeys((*exports.blocks, *exports.report_blocks), path))

    def names_of(self, path: str) -> frozenset[str]:
        """The names that a file binds that is running or has run."""
        run = self._runs.get(path)
        result = self._running.get(path) if run is None else run.result
        return frozenset() if result is None else result.exports.names

    def dependencies_of(self, path: str) -> Set[str]:
        """The files that a file uses, directly or indirectly, and that have run."""
        run = self._runs.get(path)
        return frozenset[str]() if run is None else run.used.exports.keys()

    def has_run(self, path: str) -> bool:
        return path in self._runs

    def is_running(self, path: str) -> bool:
        """True if a file is running for its importers."""
        return path in self._running

    def _drop(self, path: str) -> None:
        """Remove a file that no longer exists, and its changes to objects of other files."""
        before = self._runs.pop(path, None)
        if before is not None:
            self._forget(path, before.result.exports)

    def _forget(self, path: str, exports: Exports) -> None:
        self.cells.forget(path, exports.cells)
        for number in exports.frames:
            self.frames.pop(number, None)
        for block in exports.report_blocks:
            self.report_blocks.pop(block, None)
        for block in (*exports.blocks, *exports.report_blocks):
            self.file_of.pop(block, None)

    def patched(self, file: str) -> frozenset[str]:
        """What the imports of a file change in TensorFlow and Keras, and whether they select Keras 2."""
        imported = self.sources.imported_files(file)
        results = map(self.result_of, filter(self.extends, imported))
        extended = (result.exports.extended for result in results if result is not None)
        around = self.sources.packages_around(file)
        own = (name for each in around for name in changes_of(self.sources, each).names if decides_keras(name))
        return frozenset(own).union(*extended, *(changes_of(self.sources, each).names for each in imported))

    def extends(self, file: str) -> bool:
        """True if only a run of the file shows what it stores on TensorFlow's classes."""
        return changes_of(self.sources, file).extends


@dataclass(slots=True)
class DependencyRecorder(Links):
    """Requests runs of files from a linker, and records the requests."""

    linker: Linker
    path: str
    used: Dependencies = field(default_factory=Dependencies)
    _followed: tuple[int, Set[str]] = 0, frozenset()
    """The number of recorded files at the last check of which files count, and those files."""

    @property
    def cells(self) -> CellsOfOthers:
        # Made for whoever asks: what a reader kept would be a circle, and garbage once the run is over.
        cells = self.linker.cells
        return CellsOfOthers(cells.own, cells.changes, self._uses, self._look_in)

    @property
    def frames(self) -> Mapping[int, Any]:
        return self.linker.frames

    @property
    def report_blocks(self) -> Mapping[Block, Any]:
        return self.linker.report_blocks

    def resume(self, used: Dependencies | None) -> bool:
        if used is None or not self.linker.bring_up_to_date(used):
            return False
        if not self.linker.cells.changing.isdisjoint(used.exports):
            # They have changed objects of others; which changes count depends on the files that this run uses.
            return False
        self.used.add(used)
        return True

    def destination_in_project(self, file: str, imported: Import) -> Elsewhere | None:
        return self.linker.sources.destination_in_project(file, imported)

    def module(self, file: str) -> Object:
        self.used.lookups.add((file, None))
        return self.linker.module(file)

    def exports(self, file: str, name: str | None) -> Exports | None:
        self.used.lookups.add((file, name))
        found = self.used.exports[file] = self.linker.result_of(file)
        return None if found is None else found.exports

    def _look_in(self, owner: int) -> None:
        file = self.linker.modules.get(owner)
        if file is not None and not (file == self.path and self.linker.is_running(file)):
            self.used.exports[file] = self.linker.result_of(file)

    def _uses(self, file: str | None) -> Set[str]:
        """The files that a file or this run uses, directly or indirectly."""
        if file is not None:
            return self.linker.dependencies_of(file)
        exports = self.used.exports
        if self._followed[0] != len(exports):
            run = [each for each in exports if self.linker.has_run(each)]
            found = frozenset(run).union(*map(self.linker.dependencies_of, run))
            self._followed = len(exports), found - {self.path}
        return self._followed[1]

    def names_of(self, file: str) -> frozenset[str]:
        return self.linker.names_of(file)

    def brought(self, file: str, stars: Sequence[Import], name: str) -> StarLookup:
        found = binders_of(self.linker.sources, file, tuple(stars), name)
        self.used.lookups.update((searched, name) for searched in found.searched)
        return found

    def begun(self, file: str, exports: Exports) -> None:
        self.linker.begun(file, exports)

    def is_installed(self, file: str) -> bool:
        return self.linker.sources.is_installed(file)

    def check_cancelled(self) -> None:
        self.linker.sources.check_cancelled()

    def patched(self, file: str) -> frozenset[str]:
        for imported in filter(self.linker.extends, self.linker.sources.imported_files(file)):
            self.exports(imported, None)
        # None of their names is asked for, but what they store counts in any case.
        around = self.linker.sources.packages_around(file)
        self.used.lookups.update((each, "") for each in (*self.linker.sources.imported_files(file), *around))
        return self.linker.patched(file)
