"""A project: its files, its settings, and what is remembered about them between two questions.

The only module of the analysis that reads the disk.
"""

from __future__ import annotations

import fnmatch
import io
import os
import sys
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from .checking import Report, report
from .diagnostics import Diagnostic
from .settings import Settings, SettingsError
from .syntax import Module, SyntaxProblem, parse_module
from .tracing import Trace, trace_module
from .tracing.run import FlowCache
from .values.tensorflow.tables import Version

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Project", "Settings", "SettingsError", "Unreadable", "load_settings", "tomllib"]

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
    trace: Trace | None = None
    report: tuple[Settings, Report] | None = None
    tensorflow: Version | None = None


@dataclass(slots=True)
class _Cache:
    buffers: dict[str, str] = field(default_factory=dict[str, str])
    files: dict[str, _File] = field(default_factory=dict[str, _File])


class Project:
    """Files under one root and what is known of them. One thread at a time may use it."""

    def __init__(self, root: Path | None = None, settings: Settings | None = None) -> None:
        self.root = root
        self.settings = load_settings(root) if settings is None else settings
        self._cache = _Cache()

    def set_text(self, path: str, text: str) -> None:
        """An editor's buffer: it counts instead of the file."""
        self._cache.buffers[path] = text

    def forget(self, path: str) -> None:
        """The buffer is closed; the file counts again."""
        self._cache.buffers.pop(path, None)
        self._cache.files.pop(path, None)

    def text(self, path: str) -> str:
        """The buffer, or the file decoded as Python does; raises `Unreadable`."""
        buffer = self._cache.buffers.get(path)
        return buffer if buffer is not None else read_source(path)

    def module(self, path: str) -> Module:
        """The file cut into blocks and parsed."""
        return self._file(path).module

    def problems(self, path: str) -> tuple[SyntaxProblem, ...]:
        """The code that can't be parsed; everything around it is checked all the same."""
        return self.module(path).errors

    def trace(self, path: str) -> Trace:
        """What tracing the file saw."""
        file = self._file(path)
        if file.trace is None or file.tensorflow != self.settings.tensorflow_version:
            file.report = None
            file.trace = trace_module(file.module, file.flow, self.settings.tensorflow_version)
            file.tensorflow = self.settings.tensorflow_version
        return file.trace

    def check(self, path: str) -> tuple[Diagnostic, ...]:
        """The findings in a file, in the order of the text, by settings and suppressions."""
        file, trace = self._file(path), self.trace(path)
        if file.report is None or file.report[0] != self.settings:
            file.report = self.settings, report(file.module, trace, self.settings)
        return file.report[1].diagnostics

    def settings_file(self) -> str | None:
        """The file that has the project's settings or may have them, if there is one that can be read."""
        try:
            path, _ = _settings_table(self.root)
        except SettingsError:
            return None
        return None if path is None else str(path)

    def files(self, paths: Sequence[Path]) -> Iterator[Path]:
        """The Python files under the paths, sorted, without what is excluded; a file named itself always counts."""
        seen: set[Path] = set()
        for path in paths:
            for found in _walk(path, self.root, self.settings.exclude) if path.is_dir() else [path]:
                if found not in seen:
                    seen.add(found)
                    yield found

    def _file(self, path: str) -> _File:
        text = self.text(path)
        known = self._cache.files.get(path)
        if known is not None and known.module.text == text:
            return known
        module = parse_module(text, known.module if known is not None else None)
        flow = known.flow.kept(module.blocks) if known is not None else FlowCache()
        self._cache.files[path] = _File(module, flow)
        return self._cache.files[path]


def load_settings(root: Path | None) -> Settings:
    """The settings of the nearest pyproject.toml at or above the root that has any; raises `SettingsError`."""
    path, table = _settings_table(root)
    settings = table.get("tool", {}).get("graphwright")
    if settings is None:
        return Settings()
    if not isinstance(settings, dict):
        raise SettingsError("`tool.graphwright` is not a table", str(path))
    return Settings.from_mapping(cast("dict[str, Any]", settings), str(path))


def _settings_table(root: Path | None) -> tuple[Path | None, dict[str, Any]]:
    """The pyproject.toml that has the project's settings, or may have them: the first that is of a project."""
    for folder in [] if root is None else [root, *root.resolve().parents]:
        path = folder / "pyproject.toml"
        if not os.path.isfile(path):
            continue
        try:
            table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
            raise SettingsError(f"can't be read: {problem}", str(path)) from problem
        if "graphwright" in table.get("tool", {}) or "project" in table or "build-system" in table:
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
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        return raw.decode(encoding)
    except (SyntaxError, LookupError, UnicodeDecodeError) as problem:
        raise Unreadable(path, f"can't be decoded: {problem}") from None


def _walk(folder: Path, root: Path | None, exclude: Sequence[str]) -> Iterator[Path]:
    for current, folders, names in os.walk(folder):
        here = Path(current)
        folders[:] = sorted(f for f in folders if f not in SKIPPED and not _excluded(here / f, root, exclude))
        for name in sorted(names):
            path = here / name
            if name.endswith((".py", ".pyi")) and not _excluded(path, root, exclude):
                yield path


def _excluded(path: Path, root: Path | None, patterns: Sequence[str]) -> bool:
    if not patterns:
        return False
    absolute = path.resolve()
    relative = str(absolute.relative_to(root.resolve())) if root and absolute.is_relative_to(root.resolve()) else ""
    names = (relative.replace(os.sep, "/"), str(path).replace(os.sep, "/"), path.name)
    return any(fnmatch.fnmatch(name, pattern.rstrip("/")) for name in names if name for pattern in patterns)
