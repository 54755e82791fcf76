"""A project's files: their paths, texts and settings, and where their imports lead.

Nothing here analyzes a file, so a command that finds all answers in the cache doesn't load the analysis.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from . import notebooks
from .assumed_keras import AssumedKeras, FolderStatement, assumed_keras
from .decoding import decode_source, is_utf16
from .imports import Import, leads_outside
from .installed import Installed, contains
from .settings import NO_OVERRIDES, Settings, SettingsError
from .settings_files import PlacedSettings, load_settings, stated_in
from .user_files import Unreadable, is_regular, read_bytes, read_text, stamp_of
from .values.keras_choice import KerasChoice
from .values.tensorflow.tables import Version

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
"""The suffixes of files that others may import."""


class Cancelled(BaseException):
    """The current computation was cancelled. Its partial results are stored."""


class Folder:
    """A project's root and settings, and the files under it.

    If `still`, no file changes while this is used, and each is read only once.
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
        """The folders of installed packages in the environment that the code is for."""
        self._settings = load_settings(root) if settings is None else settings
        self.overrides = NO_OVERRIDES
        """Settings that override those in files; the folder's own settings already include them."""
        self.on_bad_settings: Callable[[SettingsError], None] | None = None
        """Called with invalid settings of a folder, instead of raising the error."""
        self._settings_in: dict[str, PlacedSettings] = {}
        self.still = still
        self._destinations: dict[tuple[str, Import], tuple[str | None, str | None]] = {}
        self._installed: dict[str, bool] = {}
        self._stamps: dict[str, tuple[int, int] | None] = {}
        self._folders: dict[str, tuple[int, int] | None] = {}
        """The folders that were searched for files, with their state at that time."""
        self._absent = set[str]()
        self._probes: dict[str, bool] = {}
        """The files that were looked for, and whether they exist."""
        self._packages_of: dict[str, list[str]] = {}
        self._keras_in: dict[str, FolderStatement] = {}
        """The Keras version that each folder declares."""

    @property
    def settings(self) -> Settings:
        """The settings of the root."""
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        if settings != self._settings:
            self._settings = settings
            self.look_again()

    def text(self, path: str) -> str:
        """Decode a file as Python does, a notebook's cells one after the other; raise `Unreadable`.

        A line end of CR alone is replaced by LF.
        """
        if notebooks.is_notebook(path):
            return "".join(cell.source + notebooks.CELL_SEAM for cell in self.cells(path))
        return plain_ends(read_source(path))

    def cells(self, path: str) -> tuple[notebooks.Cell, ...]:
        """The Python cells of a notebook file; raise `Unreadable`."""
        return cells_in(path, read_bytes(path))

    def files(
        self,
        paths: Sequence[Path],
        endings: tuple[str, ...] = SOURCES,
        closed: Callable[[OSError], None] | None = None,
    ) -> Iterator[Path]:
        """The files under the paths, sorted, without excluded ones; a file that is named itself is always included.

        A folder that can't be listed is reported to `closed`.
        """
        seen: set[Path] = set()
        for path in paths:
            for found in _walk(path, self.settings_in, endings, closed) if path.is_dir() else [path]:
                if found not in seen:
                    seen.add(found)
                    yield found

    def destination(self, path: str, imported: Import) -> tuple[str | None, str | None]:
        """The file that an import leads to, and the name that it imports there; None if that is the file itself."""
        key = os.path.dirname(path), imported
        if key not in self._destinations:
            follows = self.settings_in(key[0]).settings.follow_packages is not False
            installed = Installed(tuple(map(str, self.packages if follows else ())))
            if self.is_installed(path) and not imported.level and not installed.follows(imported):
                found: tuple[str | None, str | None] = None, imported.name
            else:
                found = destination_of(path, imported, self.root, self._probed)
            self._destinations[key] = installed.destination_of(imported) if found[0] is None else found
        return self._destinations[key]

    def settings_of(self, path: str) -> Settings:
        """The settings for one file, including the names ignored in it."""
        placed = self.settings_in(os.path.dirname(path))
        if not placed.settings.per_file_ignores:
            return placed.settings
        per_file = placed.settings.per_file_ignores.items()
        ignored = tuple(name for pattern, names in per_file if placed.matches(Path(path), [pattern]) for name in names)
        return placed.settings.updated(per_file_ignores={"*": ignored} if ignored else {})

    def settings_in(self, folder: str) -> PlacedSettings:
        """The settings for the files in a folder: those of the nearest file that has any; raise `SettingsError`.

        Library versions that it doesn't set are inherited from the folder above.
        """
        if folder not in self._settings_in:
            own = PlacedSettings(self.settings, self.root)
            if self.root is None or not contains(self.root, folder) or Path(folder) == self.root:
                return own
            stated, above = self._stated_in(folder), self.settings_in(os.path.dirname(folder))
            if stated is not None:
                above = PlacedSettings(self.overrides.over(stated.within(above.settings)), Path(folder))
            self._settings_in[folder] = above
        return self._settings_in[folder]

    def _stated_in(self, folder: str) -> Settings | None:
        try:
            return stated_in(Path(folder), self._configuration_text)
        except SettingsError as error:
            if self.on_bad_settings is None:
                raise
            self.on_bad_settings(error)
            return None

    def is_installed(self, path: str) -> bool:
        """True if a file belongs to an installed package, so it isn't the user's to change.

        If the root itself is inside of a package folder, the files under it are the project's.
        """
        if path not in self._installed:
            root, around = self.root, [folder for folder in self.packages if contains(folder, path)]
            found = any(root is None or not contains(folder, root) or not contains(root, path) for folder in around)
            self._installed[path] = found
        return self._installed[path]

    def stamp_of(self, path: str) -> tuple[int, int] | None:
        """The state of a file on the disk."""
        if not self.still:
            return stamp_of(path)
        if path not in self._stamps:
            self._stamps[path] = stamp_of(path)
        return self._stamps[path]

    def look_again(self) -> None:
        """Note that something has changed after all."""
        self._destinations.clear()
        self._stamps.clear()
        self._folders.clear()
        self._absent.clear()
        self._probes.clear()
        self._packages_of.clear()
        self._keras_in.clear()
        self._settings_in.clear()

    def tensorflow_of(self, path: str) -> Version:
        """The TensorFlow version that a file is for."""
        return self.settings_in(os.path.dirname(path)).settings.table_version

    def assumed_keras(self, path: str) -> AssumedKeras:
        """The Keras version that a file is for, unless its own code says otherwise."""
        settings = self.settings_in(os.path.dirname(path)).settings
        return assumed_keras(path, self.root, settings, self._configuration_text, self._keras_in)

    def keras_of(self, path: str) -> KerasChoice:
        return self.assumed_keras(path).choice

    def packages_around(self, path: str) -> Sequence[str]:
        """The `__init__` files of the packages around a file, which Python runs before it."""
        if path not in self._packages_of:
            found, folder = list[str](), os.path.dirname(path)
            while self._probed(file := os.path.join(folder, "__init__.py")):
                found += [file] if file != path else []
                folder, inner = os.path.dirname(folder), folder
                if folder == inner:
                    break
            self._packages_of[path] = found
        return self._packages_of[path]

    def _configuration_text(self, path: str) -> str | None:
        with suppress(Unreadable):
            return read_text(path) if is_regular(path) else None
        return None

    def notice_new_files(self) -> None:
        """Note that files may have come or gone since the last look, which changes their folders."""
        if not self.still and any(stamp_of(folder) != stamp for folder, stamp in self._folders.items()):
            self.look_again()

    def _probed(self, path: str) -> bool:
        """True if a file exists; when that changes, so does its folder or the nearest existing one around it."""
        found = self._probes.get(path)
        if found is None:
            self._stamp_around(path)
            found = self._probes[path] = self.is_file(path)
        return found

    def _stamp_around(self, path: str) -> None:
        """Note the state of the folder that a file is or would be in, or of the nearest existing one around it."""
        folder = os.path.dirname(path)
        while not self.still and folder not in self._folders:
            stamp = None if folder in self._absent else stamp_of(folder)
            above = os.path.dirname(folder)
            if stamp is not None or above == folder:
                self._folders[folder] = stamp
            else:
                self._absent.add(folder)
                folder = above

    def is_file(self, path: str) -> bool:
        return is_regular(path)


def cells_in(path: str, raw: bytes) -> tuple[notebooks.Cell, ...]:
    """The Python cells in the bytes of a notebook file; raise `Unreadable`."""
    try:
        cells = notebooks.python_cells(raw)
    except ValueError as error:
        raise Unreadable(path, str(error)) from None
    return tuple(notebooks.Cell(cell.number, plain_ends(cell.source)) for cell in cells)


def is_python(path: str) -> bool:
    """True if a path is one of Python code rather than of settings."""
    return not path.endswith(".toml")


def plain_ends(text: str) -> str:
    """Return the text with LF for each line end of CR alone."""
    return _LONE_CR.sub("\n", text) if "\r" in text else text


def refuse_long(path: str, text: str) -> None:
    """Raise `Unreadable` if a file is too long to check."""
    if len(text) > MOST_CHARACTERS:
        much, most = f"{len(text):,} characters", f"{MOST_CHARACTERS:,}"
    elif (lines := text.count("\n")) > MOST_LINES:
        much, most = f"{lines:,} lines", f"{MOST_LINES:,}"
    else:
        return
    raise Unreadable(path, f"has {much}; files of more than {most} aren't checked")


MOST_LINES, MOST_CHARACTERS = 50_000, 10_000_000
"""The length up to which files are checked; files that people write have some thousand lines."""


def read_source(path: str) -> str:
    """Read a Python file, with its original line ends; raise `Unreadable` with the reason."""
    raw = read_bytes(path)
    if b"\0" in raw[:8192] and not is_utf16(raw):
        raise Unreadable(path, "is binary, not Python source")
    try:
        return decode_source(raw).text
    except (SyntaxError, LookupError) as problem:
        raise Unreadable(path, f"can't be decoded: {problem}") from None


def destination_of(
    path: str, imported: Import, root: Path | None, is_file: Callable[[str], bool]
) -> tuple[str | None, str | None]:
    """The file that an import in the file at `path` leads to, and the name that it imports from there."""
    if imported.name is not None:
        submodule = Import(f"{imported.module}.{imported.name}".lstrip("."), imported.level, None)
        file = _module_file(path, submodule, root, is_file)
        if file is not None:
            return file, None
    return _module_file(path, imported, root, is_file), imported.name


def _module_file(path: str, imported: Import, root: Path | None, is_file: Callable[[str], bool]) -> str | None:
    """The project's file for a module name in the file at `path`."""
    folder = os.path.dirname(path)
    if imported.level:
        bases = [os.path.normpath(os.path.join(folder, *[os.pardir] * (imported.level - 1)))]
    elif leads_outside(imported):
        return None
    else:
        bases = [_above_package(folder, is_file)]
        if root is not None:
            bases += [os.path.join(root, "src"), str(root)]
    for base in bases:
        whole = os.path.join(base, *imported.module.split(".")) if imported.module else base
        for candidate in (f"{whole}.py", os.path.join(whole, "__init__.py")):
            if is_file(candidate):
                return candidate
    return None


def _above_package(folder: str, is_file: Callable[[str], bool]) -> str:
    """The folder that contains the topmost package of a folder."""
    while folder != os.path.dirname(folder) and is_file(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


_LONE_CR = re.compile(r"\r(?!\n)")


def _walk(
    folder: Path,
    settings_in: Callable[[str], PlacedSettings],
    endings: tuple[str, ...],
    closed: Callable[[OSError], None] | None,
) -> Iterator[Path]:
    for current, folders, names in os.walk(folder, onerror=closed):
        here, placed = Path(current), settings_in(os.path.abspath(current))
        exclude = placed.settings.exclude
        folders[:] = sorted(f for f in folders if f not in SKIPPED and not placed.matches(here / f, exclude))
        for name in sorted(names):
            path = here / name
            if name.endswith(endings) and not name.startswith(_LOCKS) and not placed.matches(path, exclude):
                yield path


_LOCKS = ".#"
"""How Emacs begins the names of links that lead nowhere and say who edits a file."""
