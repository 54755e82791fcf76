"""A project: its files, its settings, and what is remembered about them between two questions.

The only module of the analysis that reads the disk.
"""

from __future__ import annotations

import fnmatch
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from .checking import Report, report
from .decoding import decode_source
from .diagnostics import Diagnostic
from .settings import Settings, SettingsError
from .syntax import SEAM, Module, SyntaxProblem, parse_cells, parse_module
from .tracing import (
    Exports,
    FlowCache,
    Import,
    Imported,
    Trace,
    exports_of,
    imports_in,
    may_begin_a_graph,
    trace_module,
)
from .values.tensorflow.tables import Version

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Import", "Project", "Settings", "SettingsError", "Unreadable", "load_settings", "stamp_of", "tomllib"]

SKIPPED = frozenset(
    {
        ".git",
        ".hg",
        ".venv",
        "venv",
        "node_modules",
        "__pycache__",
        ".tox",
        ".nox",
        ".dev",
        "build",
        "dist",
        ".eggs",
    }
)


class Unreadable(Exception):
    """A file whose text can't be had, with the reason in words."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


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


@dataclass(slots=True)
class _Cache:
    buffers: dict[str, str] = field(default_factory=dict[str, str])
    cells: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The parts of those buffers that are notebooks."""
    files: dict[str, _File] = field(default_factory=dict[str, _File])


class Project:
    """Files under one root and what is known of them. One thread at a time may use it."""

    def __init__(self, root: Path | None = None, settings: Settings | None = None) -> None:
        self.root = root
        self.settings = load_settings(root) if settings is None else settings
        self._cache = _Cache()

    def set_text(self, path: str, text: str) -> None:
        """An editor's buffer: it counts instead of the file."""
        self._cache.cells.pop(path, None)
        self._cache.buffers[path] = text

    def set_cells(self, path: str, cells: Sequence[str]) -> None:
        """An editor's notebook: its cells' Python (`python_of_cell`), one program with a line end behind each cell."""
        self._cache.cells[path] = tuple(f"{cell}{SEAM}" for cell in cells)
        self._cache.buffers[path] = "".join(self._cache.cells[path])

    def forget(self, path: str) -> None:
        """The buffer is closed; the file counts again."""
        self._cache.buffers.pop(path, None)
        self._cache.cells.pop(path, None)
        self._cache.files.pop(path, None)

    def release(self, path: str) -> None:
        """Remember nothing of a file that no buffer stands for; it is read again when it's next asked for."""
        if path not in self._cache.buffers:
            self._cache.files.pop(path, None)

    def text(self, path: str) -> str:
        """The buffer, or the file decoded as Python does; raises `Unreadable`.

        A line end of CR alone is an LF in it, in the same place.
        """
        buffer = self._cache.buffers.get(path)
        text = buffer if buffer is not None else read_source(path)
        return _LONE_CR.sub("\n", text) if "\r" in text else text

    def module(self, path: str) -> Module:
        """The file cut into blocks and parsed."""
        return self._file(path).module

    def problems(self, path: str) -> tuple[SyntaxProblem, ...]:
        """The code that can't be parsed; everything around it is checked all the same."""
        return self.module(path).errors

    def trace(self, path: str) -> Trace:
        """What tracing the file saw."""
        file = self._file(path)
        imports, version = self._imports(path), self.settings.tensorflow_version
        if file.trace is None or file.tensorflow != version or imports != file.imports:
            file.imports, file.tensorflow = imports, version
            file.trace = trace_module(file.module, file.flow, imports, version)
        return file.trace

    def check(self, path: str) -> tuple[Diagnostic, ...]:
        """The findings in a file, in the order of the text, by settings and suppressions."""
        file, trace = self._file(path), self.trace(path)
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
            other._cache.files[path] = replace(known, flow=known.flow.kept(known.module), report=None)
        return other

    def settings_file(self) -> str | None:
        """The file that has the project's settings or may have them, if there is one that can be read."""
        try:
            path, _ = _settings_table(self.root, self._cache.buffers)
        except SettingsError:
            return None
        return None if path is None else str(path)

    def files(self, paths: Sequence[Path], endings: tuple[str, ...] = (".py", ".pyi")) -> Iterator[Path]:
        """The Python files under the paths, sorted, without what is excluded; a file named itself always counts."""
        seen: set[Path] = set()
        for path in paths:
            for found in _walk(path, self.root, self.settings.exclude, endings) if path.is_dir() else [path]:
                if found not in seen:
                    seen.add(found)
                    yield found

    def needs(self, path: str) -> tuple[tuple[Import, tuple[str, ...]], ...]:
        """What a file imports, with the files that decide what that is; none where it's nothing of the project's."""
        asked = dict.fromkeys(asked for _, asked in imports_in(self.module(path), self._file(path).flow))
        return tuple((one, tuple(file for file, _ in self._trail(path, one))) for one in asked if not _is_outside(one))

    def _file(self, path: str) -> _File:
        known = self._cache.files.get(path)
        stamp = None if path in self._cache.buffers else stamp_of(path)
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
            file = _File(module, known.flow.kept(module), stamp, cells)
            file.export_flow = known.export_flow.kept(module)
        self._cache.files[path] = file
        if len(self._cache.files) > _REMEMBERED:
            closed = (other for other in self._cache.files if other not in self._cache.buffers and other != path)
            self._cache.files.pop(next(closed, ""), None)
        return file

    # Imports across files

    def _imports(self, path: str) -> dict[Import, Imported]:
        """Where the imports of a file lead, as far as that is to files of the project."""
        found: dict[Import, Imported] = {}
        begins = may_begin_a_graph(self.module(path).text)
        for _, asked in imports_in(self.module(path), self._file(path).flow):
            trail = self._trail(path, asked)
            # What is imported matters to a graph alone: one that begins here, or in a function that is imported.
            with suppress(Unreadable):
                if trail and (begins or may_begin_a_graph(self.module(trail[-1][0]).text)):
                    file, name = trail[-1]
                    found[asked] = Imported(self._exports(file), name)
        return found

    def _trail(self, path: str, asked: Import) -> list[tuple[str, str | None]]:
        """The files that an import goes through, each with the name that is asked of it; None asks for the file."""
        trail: list[tuple[str, str | None]] = []
        while len(trail) < _HOPS:
            file, name = self.first_file(path, asked)
            if file is not None and name is None:
                return [*trail, (file, None)]
            if file is None or file == path or any(file == earlier for earlier, _ in trail):
                return trail
            trail.append((file, asked.name))
            onward = self._reexported(file, asked.name)
            if onward is None:
                return trail
            path, asked = file, onward
        return trail

    def first_file(self, path: str, asked: Import) -> tuple[str | None, str | None]:
        """The file that an import names, and the name that is asked of it, None where that is the file itself."""
        if asked.name is not None:
            submodule = Import(f"{asked.module}.{asked.name}".lstrip("."), asked.level, None)
            file = module_file(path, submodule, self.root, self._is_file)
            if file is not None:
                return file, None
        return module_file(path, asked, self.root, self._is_file), asked.name

    def _is_file(self, path: str) -> bool:
        return path in self._cache.buffers or os.path.isfile(path)

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

_HOPS = 5
"""Through how many files a name is followed that one file has from another."""


def module_file(path: str, asked: Import, root: Path | None, is_file: Callable[[str], bool]) -> str | None:
    """The file of the project that a module's name means in the file at `path`."""
    folder = os.path.dirname(path)
    if asked.level:
        bases = [os.path.normpath(os.path.join(folder, *[os.pardir] * (asked.level - 1)))]
    elif _is_outside(asked):
        return None
    else:
        bases = [_above_package(folder)]
        if root is not None:
            bases += [os.path.join(root, "src"), str(root)]
    for base in bases:
        whole = os.path.join(base, *asked.module.split(".")) if asked.module else base
        for candidate in (f"{whole}.py", os.path.join(whole, "__init__.py")):
            if is_file(candidate):
                return candidate
    return None


def _is_outside(asked: Import) -> bool:
    """Whether an import is known to lead out of any project."""
    return not asked.level and asked.module.partition(".")[0] in _OUTSIDE


_LONE_CR = re.compile(r"\r(?!\n)")

_REMEMBERED = 400
"""Of how many files that aren't open the module and its trace are kept."""

_OUTSIDE = frozenset({*sys.stdlib_module_names, "tensorflow", "keras", "numpy"})


def _above_package(folder: str) -> str:
    """The folder that a package's topmost folder stands in."""
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


def stamp_of(path: str) -> tuple[int, int] | None:
    """The time and size of a file or folder on the disk, to see whether it has changed; None where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def load_settings(root: Path | None, buffers: Mapping[str, str] | None = None) -> Settings:
    """The settings of the nearest pyproject.toml at or above the root that has any; raises `SettingsError`.

    An editor's buffer counts instead of the file.
    """
    path, table = _settings_table(root, buffers or {})
    settings: Any = table.get("tool", {}).get("graphwright")
    if settings is None:
        return Settings()
    if not isinstance(settings, dict):
        raise SettingsError("`tool.graphwright` is not a table", str(path))
    return Settings.from_mapping(cast("dict[str, Any]", settings), str(path))


def _settings_table(root: Path | None, buffers: Mapping[str, str]) -> tuple[Path | None, dict[str, Any]]:
    """The pyproject.toml that has the project's settings, or may have them: the first that is of a project."""
    for folder in [] if root is None else [root, *root.resolve().parents]:
        path = folder / "pyproject.toml"
        buffer = buffers.get(str(path))
        if buffer is None and not os.path.isfile(path):
            continue
        try:
            table: dict[str, Any] = tomllib.loads(path.read_text("utf-8") if buffer is None else buffer)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
            raise SettingsError(f"can't be read: {problem}", str(path)) from problem
        tool: Any = table.get("tool", {})
        if not isinstance(tool, dict):
            raise SettingsError("`tool` is not a table", str(path), "tool")
        if "graphwright" in tool or "project" in table or "build-system" in table:
            return path, table
    return None, {}


def read_source(path: str) -> str:
    """The text of a Python file, its line ends kept; raises `Unreadable` with a reason in words."""
    try:
        raw = Path(path).read_bytes()
    except FileNotFoundError:
        raise Unreadable(path, "no such file") from None
    except IsADirectoryError:
        raise Unreadable(path, "is a folder, not a file") from None
    except PermissionError:
        raise Unreadable(path, "permission denied") from None
    except (OSError, ValueError) as problem:
        raise Unreadable(path, getattr(problem, "strerror", None) or str(problem)) from None
    if b"\0" in raw[:8192]:
        raise Unreadable(path, "is binary, not Python source")
    try:
        return decode_source(raw).text
    except (SyntaxError, LookupError, UnicodeDecodeError) as problem:
        raise Unreadable(path, f"can't be decoded: {problem}") from None


def _walk(folder: Path, root: Path | None, exclude: Sequence[str], endings: tuple[str, ...]) -> Iterator[Path]:
    for current, folders, names in os.walk(folder):
        here = Path(current)
        folders[:] = sorted(f for f in folders if f not in SKIPPED and not _excluded(here / f, root, exclude))
        for name in sorted(names):
            path = here / name
            if name.endswith(endings) and not _excluded(path, root, exclude):
                yield path


def _excluded(path: Path, root: Path | None, patterns: Sequence[str]) -> bool:
    if not patterns:
        return False
    absolute = path.resolve()
    relative = str(absolute.relative_to(root.resolve())) if root and absolute.is_relative_to(root.resolve()) else ""
    names = (relative.replace(os.sep, "/"), str(path).replace(os.sep, "/"), path.name)
    return any(fnmatch.fnmatch(name, pattern.rstrip("/")) for name in names if name for pattern in patterns)
