"""A project: its files as they are traced and checked, and what is remembered about them between two questions.

Which files there are, and their texts, is `project_files`'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from .checking import Report, report
from .diagnostics import Diagnostic
from .imports import Import, leads_outside
from .outlines import Outline, Text
from .project_files import Folder, Unreadable, plain_ends, settings_table
from .settings import Settings, SettingsError
from .syntax import SEAM, Block, Module, SyntaxProblem, parse_cells, parse_module
from .tracing import (
    Exports,
    FlowCache,
    Imported,
    Trace,
    exports_of,
    imports_in,
    may_begin_a_graph,
    outline_of,
    trace_module,
)
from .values.tensorflow.tables import Version

Trail = tuple[tuple[str, str | None], ...]
"""The files that an import goes through, each with the name that is asked of it; None asks for the file itself."""
Trails = Mapping[Import, Trail]


@dataclass(slots=True)
class _File:
    """What is remembered of one file."""

    module: Module
    flow: FlowCache
    stamp: tuple[int, int] | None = None
    """The time and size of the file on the disk that the text was read from."""
    cells: tuple[str, ...] | None = None
    imports: dict[Import, Imported] = field(default_factory=dict[Import, Imported])
    trace: Trace | None = None
    exports: tuple[Version, Exports] | None = None
    export_flow: FlowCache = field(default_factory=FlowCache)
    tensorflow: Version | None = None
    report: tuple[Settings, Trace, Report] | None = None
    outline: Outline | None = None

    @property
    def blocks(self) -> set[Block]:
        """Its own and those of the files that it imports from."""
        return {*self.module.starts_of}.union(*[imported.exports.blocks for imported in self.imports.values()])


@dataclass(slots=True)
class _Cache:
    buffers: dict[str, str] = field(default_factory=dict[str, str])
    cells: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The parts of those buffers that are notebooks."""
    files: dict[str, _File] = field(default_factory=dict[str, _File])


class Project(Folder):
    """Files under one root and what is known of them. One thread at a time may use it."""

    def __init__(self, root: Path | None = None, settings: Settings | None = None, still: bool = False) -> None:
        super().__init__(root, settings, still)
        self._cache = _Cache()

    def set_text(self, path: str, text: str) -> None:
        """An editor's buffer: it counts instead of the file."""
        if path not in self._cache.buffers:
            self.look_again()
        self._cache.cells.pop(path, None)
        self._cache.buffers[path] = text

    def set_cells(self, path: str, cells: Sequence[str]) -> None:
        """An editor's notebook: its cells' Python (`python_of_cell`), one program with a line end after each cell."""
        self.look_again()
        self._cache.cells[path] = tuple(f"{cell}{SEAM}" for cell in cells)
        self._cache.buffers[path] = "".join(self._cache.cells[path])

    def forget(self, path: str) -> None:
        """The buffer is closed; the file counts again."""
        self.look_again()
        self._cache.buffers.pop(path, None)
        self._cache.cells.pop(path, None)
        self._cache.files.pop(path, None)

    def set_aside(self, path: str) -> None:
        """Remember of a file only what those that import it ask; it is traced again when it's next asked about."""
        known = self._cache.files.get(path)
        if known is not None:
            known.flow.dissolve()
            self._cache.files[path] = replace(
                known, flow=FlowCache(imports=known.flow.imports), trace=None, report=None
            )

    def text(self, path: str) -> str:
        """The buffer, or the file decoded as Python does; raises `Unreadable`.

        A line end of CR alone is an LF in it, in the same place.
        """
        buffer = self._cache.buffers.get(path)
        return super().text(path) if buffer is None else plain_ends(buffer)

    def module(self, path: str) -> Module:
        """The file cut into blocks and parsed."""
        return self._file(path).module

    def problems(self, path: str) -> tuple[SyntaxProblem, ...]:
        """The code that can't be parsed; everything around it is checked all the same."""
        return self.module(path).errors

    def trace(self, path: str) -> Trace:
        """What tracing the file saw."""
        file = self._file(path)
        return self._traced(file, self._trails(path, file))

    def check(self, path: str) -> tuple[Diagnostic, ...]:
        """The findings in a file, in the order of the text, by settings and suppressions."""
        file = self._file(path)
        trails = self._trails(path, file)
        # What the rules judge happens in a graph, or is told of one.
        trace = self._traced(file, trails) if self._may_meet_a_graph(file, trails) else _NOTHING_TRACED
        if file.report is None or file.report[0] != self.settings or file.report[1] is not trace:
            file.report = self.settings, trace, report(file.module, trace, self.settings)
        return file.report[2].diagnostics

    def supposing(self, path: str, text: str) -> Project:
        """The project as it would be with another text in one file, every rule applied; it shares what is known."""
        other = Project(self.root, Settings(tensorflow_version=self.settings.tensorflow_version))
        cells = {key: parts for key, parts in self._cache.cells.items() if key != path}
        other._cache = _Cache({**self._cache.buffers, path: text}, cells, dict(self._cache.files))
        known = other._cache.files.get(path)
        if known is not None:
            other._cache.files[path] = replace(known, flow=known.flow.kept(known.blocks), report=None)
        return other

    def settings_file(self) -> str | None:
        """The file that has the project's settings or may have them, if there is one that can be read."""
        try:
            path, _ = settings_table(self.root, self._cache.buffers)
        except SettingsError:
            return None
        return None if path is None else str(path)

    def outline(self, path: str) -> Outline:
        """What of a file counts for those that import it."""
        file = self._file(path)
        if file.outline is None:
            file.outline = outline_of(file.module, file.flow)
        return file.outline

    def needs(self, path: str) -> tuple[tuple[Import, Trail], ...]:
        """What a file imports that may be the project's, with the files that decide what that is."""
        return tuple(
            (one, trail) for one, trail in self._trails(path, self._file(path)).items() if not leads_outside(one)
        )

    def _file(self, path: str) -> _File:
        known = self._cache.files.get(path)
        stamp = None if path in self._cache.buffers else self.stamp_of(path)
        if known is not None and stamp is not None and known.stamp == stamp:
            return known
        text = self.text(path)
        _refuse_long(path, text)
        cells = self._cache.cells.get(path)
        if known is not None and known.module.text == text and known.cells == cells:
            known.stamp = stamp
            return known
        previous = known.module if known is not None and (known.cells is None) == (cells is None) else None
        module = parse_module(text, previous) if cells is None else parse_cells(cells, previous)
        if known is None:
            file = _File(module, FlowCache(), stamp, cells)
        else:
            file = _File(module, known.flow, stamp, cells, known.imports)
            file.flow, file.export_flow = known.flow.kept(file.blocks), known.export_flow.kept(module.starts_of.keys())
        self._cache.files[path] = file
        if len(self._cache.files) > _REMEMBERED:
            closed = (other for other in self._cache.files if other not in self._cache.buffers and other != path)
            released = self._cache.files.pop(next(closed, ""), None)
            if released is not None:
                released.flow.dissolve()
        return file

    def _traced(self, file: _File, trails: Trails) -> Trace:
        imports, version = self._imports(trails), self.settings.tensorflow_version
        if file.trace is None or file.tensorflow != version or imports != file.imports:
            if imports != file.imports:
                file.imports = imports
                file.flow = file.flow.kept(file.blocks)
            file.tensorflow = version
            file.trace = trace_module(file.module, file.flow, imports, version)
        return file.trace

    def _may_meet_a_graph(self, file: _File, trails: Trails) -> bool:
        """Whether anything in a file, or in what it asks of others, may be traced; False is sure."""
        if may_begin_a_graph(file.module, file.flow):
            return True
        text = Text.together([file.flow.text_of(piece) for piece in file.module.pieces])
        for other, name in dict.fromkeys(trail[-1] for trail in trails.values() if trail):
            with suppress(Unreadable):
                if self.outline(other).begins_for(text.asks(name)):
                    return True
        return False

    # Imports across files

    def _trails(self, path: str, file: _File) -> Trails:
        """What a file imports, with the files that it goes through; none where it's nothing of the project's."""
        asked = dict.fromkeys(asked for _, asked in imports_in(file.module, file.flow))
        return {one: self._trail(path, one) for one in asked}

    def _imports(self, trails: Trails) -> dict[Import, Imported]:
        """Where the imports of a file lead, as far as that is to files of the project."""
        found: dict[Import, Imported] = {}
        for asked, trail in trails.items():
            with suppress(Unreadable):
                if trail:
                    file, name = trail[-1]
                    found[asked] = Imported(self._exports(file), name)
        return found

    def _trail(self, path: str, asked: Import) -> Trail:
        trail: Trail = ()
        while len(trail) < _HOPS:
            file, name = self.first_file(path, asked)
            if file is not None and name is None:
                return *trail, (file, None)
            if file is None or file == path or any(file == earlier for earlier, _ in trail):
                return trail
            trail = *trail, (file, asked.name)
            onward = self._reexported(file, asked.name)
            if onward is None:
                return trail
            path, asked = file, onward
        return trail

    def is_file(self, path: str) -> bool:
        return path in self._cache.buffers or super().is_file(path)

    def _reexported(self, file: str, name: str | None) -> Import | None:
        """The import by which a file has a name that others import from it."""
        try:
            imports = imports_in(self.module(file), self._file(file).flow)
        except Unreadable:
            return None
        return next((asked for bound, asked in imports if bound == name and asked.name is not None), None)

    def _exports(self, path: str) -> Exports:
        file, version = self._file(path), self.settings.tensorflow_version
        if file.exports is None or file.exports[0] != version:
            file.exports = version, exports_of(file.module, file.export_flow, version)
        return file.exports[1]


def _refuse_long(path: str, text: str) -> None:
    """A file that would keep all others waiting is refused, in words."""
    if len(text) > MOST_CHARACTERS:
        much, most = f"{len(text):,} characters", f"{MOST_CHARACTERS:,}"
    elif (lines := text.count("\n")) > MOST_LINES:
        much, most = f"{lines:,} lines", f"{MOST_LINES:,}"
    else:
        return
    raise Unreadable(path, f"has {much}, and a file of more than {most} isn't checked")


MOST_LINES, MOST_CHARACTERS = 50_000, 10_000_000
"""How long a file may be that is looked at; those that people write have some thousand lines."""

_NOTHING_TRACED = Trace((), ())

_HOPS = 5
"""Through how many files a name is followed that one file has from another."""


_REMEMBERED = 400
"""Of how many files that aren't open the module and its trace are kept."""
