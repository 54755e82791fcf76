"""The files that settings are read from: a project's `pyproject.toml`, and those of the folders in it.

What a setting means is `settings`'.
"""

from __future__ import annotations

import fnmatch
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from .immutability import immutable
from .settings import Settings, SettingsError
from .user_files import Unreadable, is_regular, read_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SETTINGS_FILE = "pyproject.toml"


@immutable
class PlacedSettings:
    """Settings with the folder that patterns in them are relative to."""

    settings: Settings
    folder: Path | None

    def matches(self, path: Path, patterns: Sequence[str]) -> bool:
        """Whether a file or folder matches one of the patterns."""
        if not patterns:
            return False
        absolute, base = path.resolve(), None if self.folder is None else self.folder.resolve()
        relative = str(absolute.relative_to(base)) if base and absolute.is_relative_to(base) else ""
        names = (relative.replace(os.sep, "/"), str(path).replace(os.sep, "/"), path.name)
        return any(fnmatch.fnmatch(name, pattern.rstrip("/")) for name in names if name for pattern in patterns)


def stated_in(folder: Path, read: Callable[[str], str | None]) -> Settings | None:
    """The settings that a folder has of its own, if it has any; raises `SettingsError`."""
    path = folder / SETTINGS_FILE
    text = read(str(path))
    if text is None or "graphwright" not in text:
        return None
    table = _parsed(path, text)
    return _settings_in(table, path) if "graphwright" in _tool(table, path) else None


def load_settings(root: Path | None, buffers: Mapping[str, str] | None = None) -> Settings:
    """The settings of the nearest pyproject.toml at or above the root that has any; raises `SettingsError`.

    An editor's buffer counts instead of the file.
    """
    path, table = settings_table(root, buffers or {})
    return _settings_in(table, path)


def _settings_in(table: Mapping[str, Any], path: Path | None) -> Settings:
    settings: Any = table.get("tool", {}).get("graphwright")
    if settings is None:
        return Settings()
    if not isinstance(settings, dict):
        raise SettingsError("`tool.graphwright` is not a table", str(path))
    try:
        stated = Settings.from_mapping(cast("dict[str, Any]", settings), str(path))
    except RecursionError:
        raise SettingsError("`tool.graphwright` is nested too deeply", str(path)) from None
    return stated.beside(None if path is None else path.parent)


def settings_table(root: Path | None, buffers: Mapping[str, str]) -> tuple[Path | None, dict[str, Any]]:
    """The nearest pyproject.toml that has settings, or else the first one of a project, which may have them."""
    first: tuple[Path | None, dict[str, Any]] = None, {}
    for folder in [] if root is None else [root, *root.resolve().parents]:
        path = folder / SETTINGS_FILE
        buffer = buffers.get(str(path))
        if buffer is None and not is_regular(path):
            continue
        try:
            table = _parsed(path, buffer)
            if "graphwright" in _tool(table, path):
                return path, table
        except SettingsError:
            # Above a project that can do without settings, a file may hold whatever it wants.
            if first[0] is None:
                raise
            continue
        if first[0] is None and ("project" in table or "build-system" in table):
            first = path, table
    return first


def _parsed(path: Path, text: str | None) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path) if text is None else text)
    except Unreadable as problem:
        raise SettingsError(f"can't be read: {problem.reason}", str(path)) from problem
    except RecursionError:
        raise SettingsError("can't be read: it is nested too deeply", str(path)) from None
    except ValueError as problem:
        raise SettingsError(f"can't be read: {problem}", str(path)) from problem


def _tool(table: Mapping[str, Any], path: Path) -> dict[str, Any]:
    tool: Any = table.get("tool", {})
    if not isinstance(tool, dict):
        raise SettingsError("`tool` is not a table", str(path), "tool")
    return cast("dict[str, Any]", tool)
