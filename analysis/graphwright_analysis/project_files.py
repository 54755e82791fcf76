"""A project's files: which they are, their texts and settings, and to which of them an import leads.

Nothing here looks into a file, so that whoever finds all answers in a cache pays for no analysis.
"""

from __future__ import annotations

import fnmatch
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from . import notebooks
from .assumed_keras import AssumedKeras, FolderStatement, assumed_keras
from .decoding import decode_source
from .imports import Import, leads_outside
from .installed import Installed, holds
from .settings import Settings, SettingsError
from .user_files import Unreadable, is_regular, read_bytes, read_text, stamp_of
from .values.keras_choice import KerasChoice

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

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


SOURCES = (".py", ".pyi")
"""The endings of files that others may import."""


class Cancelled(BaseException):
    """Nobody waits any more for what is being found out. What was found out so far is kept."""


class Folder:
    """A project's root and settings, and the files under it.

    Where files are taken to be `still`, nothing of them changes while this is used, and nothing is looked at twice.
    """

    def __init__(
        self,
        root: Path | None = None,
        settings: Settings | None = None,
        still: bool = False,
        packages: Sequence[Path] = (),
    ) -> None:
        self.root = root
        self.packages = tuple(packages)
        """The folders of installed packages, of the environment that the code is for."""
        self.settings = load_settings(root) if settings is None else settings
        self._still = still
        self._led: dict[tuple[str, Import], tuple[str | None, str | None]] = {}
        self._installed: dict[str, bool] = {}
        self._stamps: dict[str, tuple[int, int] | None] = {}
        self._folders: dict[str, tuple[int, int] | None] = {}
        """Those in which files were looked for, as they were then."""
        self._absent = set[str]()
        self._packages_of: dict[str, list[str]] = {}
        self._keras_in: dict[str, FolderStatement] = {}
        """What folders say of the Keras that code in them is for."""
        self.layout = 0
        """A number that is another one once imports may lead elsewhere."""

    def text(self, path: str) -> str:
        """The file decoded as Python does, a notebook's cells one after the other; raises `Unreadable`.

        A line end of CR alone is an LF in it, in the same place.
        """
        if notebooks.is_notebook(path):
            return "".join(cell.source + notebooks.CELL_SEAM for cell in self.cells(path))
        return plain_ends(read_source(path))

    def cells(self, path: str) -> tuple[notebooks.Cell, ...]:
        """The cells of Python of a notebook file; raises `Unreadable`."""
        return cells_in(path, read_bytes(path))

    def files(self, paths: Sequence[Path], endings: tuple[str, ...] = SOURCES) -> Iterator[Path]:
        """The files under the paths, sorted, without what is excluded; a file named itself always counts."""
        seen: set[Path] = set()
        for path in paths:
            for found in _walk(path, self.root, self.settings.exclude, endings) if path.is_dir() else [path]:
                if found not in seen:
                    seen.add(found)
                    yield found

    def first_file(self, path: str, asked: Import) -> tuple[str | None, str | None]:
        """The file that an import names, and the name that is asked of it, None where that is the file itself."""
        key = os.path.dirname(path), asked
        if key not in self._led:
            installed = Installed(tuple(map(str, self.packages if self.settings.follow_packages else ())))
            if self.is_installed(path) and not asked.level and not installed.follows(asked):
                led: tuple[str | None, str | None] = None, asked.name
            else:
                led = leads_to(path, asked, self.root, self._probed)
            self._led[key] = installed.leads_to(asked) if led[0] is None else led
        return self._led[key]

    def is_installed(self, path: str) -> bool:
        """Whether a file is a package's that is installed, and so nobody's here to change.

        Where the root itself stands among the packages, what is under it is the project's.
        """
        if path not in self._installed:
            root, around = self.root, [folder for folder in self.packages if holds(folder, path)]
            found = any(root is None or not holds(folder, root) or not holds(root, path) for folder in around)
            self._installed[path] = found
        return self._installed[path]

    def stamp_of(self, path: str) -> tuple[int, int] | None:
        """The state of a file on the disk."""
        if not self._still:
            return stamp_of(path)
        if path not in self._stamps:
            self._stamps[path] = stamp_of(path)
        return self._stamps[path]

    def look_again(self) -> None:
        """Something has changed after all."""
        self.layout += 1
        self._led.clear()
        self._stamps.clear()
        self._folders.clear()
        self._absent.clear()
        self._packages_of.clear()
        self._keras_in.clear()

    def assumed_keras(self, path: str) -> AssumedKeras:
        """Which Keras a file is for, unless its own code says so."""
        return assumed_keras(path, self.root, self.settings, self._configuration_text, self._keras_in)

    def keras_of(self, path: str) -> KerasChoice:
        return self.assumed_keras(path).choice

    def packages_around(self, path: str) -> Sequence[str]:
        """The files of the packages that a file is in, which Python runs before it."""
        if path not in self._packages_of:
            found, folder = list[str](), os.path.dirname(path)
            while self._probed(file := os.path.join(folder, "__init__.py")):
                found += [file] if file != path else []
                folder = os.path.dirname(folder)
            self._packages_of[path] = found
        return self._packages_of[path]

    def _configuration_text(self, path: str) -> str | None:
        with suppress(Unreadable):
            return read_text(path) if is_regular(path) else None
        return None

    def look(self) -> None:
        """Files may have come or gone since the last look, which changes the folders that they are in."""
        if not self._still and any(stamp_of(folder) != stamp for folder, stamp in self._folders.items()):
            self.look_again()

    def _probed(self, path: str) -> bool:
        """Whether a file is there; where that changes, the folder does, or the first one around it that is there."""
        folder = os.path.dirname(path)
        while not self._still and folder not in self._folders:
            stamp = None if folder in self._absent else stamp_of(folder)
            above = os.path.dirname(folder)
            if stamp is not None or above == folder:
                self._folders[folder] = stamp
            else:
                self._absent.add(folder)
                folder = above
        return self.is_file(path)

    def is_file(self, path: str) -> bool:
        return is_regular(path)


def cells_in(path: str, raw: bytes) -> tuple[notebooks.Cell, ...]:
    """The cells of Python in what was read from a notebook file; raises `Unreadable`."""
    try:
        cells = notebooks.python_cells(raw)
    except ValueError as error:
        raise Unreadable(path, str(error)) from None
    return tuple(notebooks.Cell(cell.number, plain_ends(cell.source)) for cell in cells)


def is_python(path: str) -> bool:
    """Whether a path is that of Python code and not of settings."""
    return not path.endswith(".toml")


def plain_ends(text: str) -> str:
    """The text with an LF for each line end of CR alone."""
    return _LONE_CR.sub("\n", text) if "\r" in text else text


def refuse_long(path: str, text: str) -> None:
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


def load_settings(root: Path | None, buffers: Mapping[str, str] | None = None) -> Settings:
    """The settings of the nearest pyproject.toml at or above the root that has any; raises `SettingsError`.

    An editor's buffer counts instead of the file.
    """
    path, table = settings_table(root, buffers or {})
    try:
        return _settings_in(table, path)
    except RecursionError:
        raise SettingsError("`tool.graphwright` is nested too deeply", str(path)) from None


def _settings_in(table: Mapping[str, Any], path: Path | None) -> Settings:
    settings: Any = table.get("tool", {}).get("graphwright")
    if settings is None:
        return Settings()
    if not isinstance(settings, dict):
        raise SettingsError("`tool.graphwright` is not a table", str(path))
    stated = Settings.from_mapping(cast("dict[str, Any]", settings), str(path))
    return stated.beside(None if path is None else path.parent)


def settings_table(root: Path | None, buffers: Mapping[str, str]) -> tuple[Path | None, dict[str, Any]]:
    """The pyproject.toml that has the project's settings, or may have them: the first that is of a project."""
    for folder in [] if root is None else [root, *root.resolve().parents]:
        path = folder / "pyproject.toml"
        buffer = buffers.get(str(path))
        if buffer is None and not is_regular(path):
            continue
        try:
            table: dict[str, Any] = tomllib.loads(read_text(path) if buffer is None else buffer)
        except Unreadable as problem:
            raise SettingsError(f"can't be read: {problem.reason}", str(path)) from problem
        except RecursionError:
            raise SettingsError("can't be read: it is nested too deeply", str(path)) from None
        except ValueError as problem:
            raise SettingsError(f"can't be read: {problem}", str(path)) from problem
        tool: Any = table.get("tool", {})
        if not isinstance(tool, dict):
            raise SettingsError("`tool` is not a table", str(path), "tool")
        if "graphwright" in tool or "project" in table or "build-system" in table:
            return path, table
    return None, {}


def read_source(path: str) -> str:
    """The text of a Python file, its line ends kept; raises `Unreadable` with a reason in words."""
    raw = read_bytes(path)
    if b"\0" in raw[:8192]:
        raise Unreadable(path, "is binary, not Python source")
    try:
        return decode_source(raw).text
    except (SyntaxError, LookupError, UnicodeDecodeError) as problem:
        raise Unreadable(path, f"can't be decoded: {problem}") from None


def leads_to(
    path: str, asked: Import, root: Path | None, is_file: Callable[[str], bool]
) -> tuple[str | None, str | None]:
    """The file that an import in the file at `path` names, and the name that is asked of it."""
    if asked.name is not None:
        submodule = Import(f"{asked.module}.{asked.name}".lstrip("."), asked.level, None)
        file = _module_file(path, submodule, root, is_file)
        if file is not None:
            return file, None
    return _module_file(path, asked, root, is_file), asked.name


def _module_file(path: str, asked: Import, root: Path | None, is_file: Callable[[str], bool]) -> str | None:
    """The file of the project that a module's name means in the file at `path`."""
    folder = os.path.dirname(path)
    if asked.level:
        bases = [os.path.normpath(os.path.join(folder, *[os.pardir] * (asked.level - 1)))]
    elif leads_outside(asked):
        return None
    else:
        bases = [_above_package(folder, is_file)]
        if root is not None:
            bases += [os.path.join(root, "src"), str(root)]
    for base in bases:
        whole = os.path.join(base, *asked.module.split(".")) if asked.module else base
        for candidate in (f"{whole}.py", os.path.join(whole, "__init__.py")):
            if is_file(candidate):
                return candidate
    return None


def _above_package(folder: str, is_file: Callable[[str], bool]) -> str:
    """The folder that a package's topmost folder stands in."""
    while is_file(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


_LONE_CR = re.compile(r"\r(?!\n)")


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
