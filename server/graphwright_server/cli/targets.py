"""Which files a command looks at: those that are named, those in folders, each in its own project."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright_analysis import NOTEBOOK, SOURCES, Folder, Overrides, Settings, immutable

from graphwright_server.environments import packages_of

from .findings import Failure

if TYPE_CHECKING:
    from graphwright_analysis import Project


@immutable
class Target:
    """A file to check, in its project folder."""

    folder: Folder
    path: Path
    shown: str
    named: bool = False
    """True if it was named itself, rather than found in a folder."""

    @property
    def key(self) -> str:
        return str(self.path)

    @property
    def project(self) -> Project:
        """The project of the folder, in this process."""
        return project_of(self.folder)


def find(options: argparse.Namespace, paths: Sequence[str], fail: Callable[[Failure], None]) -> Iterator[Target]:
    """The files under the paths, each once, in their order; what isn't there or can't be read is told of."""
    roots: dict[Path, Folder] = {}
    seen: set[Path] = set()
    for given in paths:
        path = Path(os.path.abspath(given))
        try:
            is_folder = path.is_dir()
            exists = is_folder or path.exists()
        except (OSError, ValueError) as error:  # a name that the system can't even look up
            fail(Failure(given, f"no such file or folder ({error})", missing=True))
            continue
        if not exists:
            fail(Failure(given, "no such file or folder", missing=True))
            continue
        if is_folder and not os.access(path, os.R_OK | os.X_OK):
            fail(Failure(given, "permission denied", missing=True))
            continue
        root = project_root(path if is_folder else path.parent)
        if root not in roots:
            roots[root] = folder_of(options, root)
        for file in roots[root].files(
            [path], (*SOURCES, NOTEBOOK), lambda error, given=given: _closed(error, given, fail)
        ):
            file = Path(os.path.abspath(file))
            if file in seen:
                continue
            seen.add(file)
            yield Target(roots[root], file, shown(file, given), not is_folder)


def _closed(error: OSError, given: str, fail: Callable[[Failure], None]) -> None:
    """Report a folder that can't be listed, unless it has just been removed."""
    if not isinstance(error, FileNotFoundError):
        reason = "permission denied" if isinstance(error, PermissionError) else error.strerror or str(error)
        fail(Failure(shown(Path(error.filename), given), reason, folder=True))


def folder_of(options: argparse.Namespace, root: Path) -> Folder:
    folder = Folder(root, packages=packages_of(root))
    select, ignore = _names(options.select), _names(options.ignore)
    # What is asked for by name is wanted, whatever the files say of it.
    selected = {"select": Settings.from_mapping({"select": select}, "--select").select, "ignore": ()} if select else {}
    folder.overrides = Overrides(selected, Settings.from_mapping({"ignore": ignore}, "--ignore").ignore)
    folder.settings = folder.overrides.over(folder.settings)
    return folder


def _names(given: list[str] | None) -> list[str]:
    return [name.strip() for part in given or [] for name in part.split(",") if name.strip()]


def project_root(folder: Path) -> Path:
    """The nearest folder above that says it is a project; else the folder itself."""
    for candidate in (folder, *folder.parents):
        if os.path.isfile(candidate / "pyproject.toml") or os.path.exists(candidate / ".git"):
            return candidate
    return folder


def shown(file: Path, given: str) -> str:
    current = Path.cwd()
    if file.is_relative_to(current):
        return str(file.relative_to(current))
    return str(file) if os.path.isabs(given) else os.path.relpath(file)


def project_of(folder: Folder) -> Project:
    """Return the project of a folder; created with the first file that is analyzed, because that loads the analysis."""
    from graphwright_analysis import Project

    key = folder.root, repr((folder.settings, folder.overrides, folder.packages))
    if key not in projects:
        projects[key] = Project(folder.root, folder.settings, still=True, packages=folder.packages)
        projects[key].sources.overrides = folder.overrides
    return projects[key]


projects: dict[tuple[Path | None, str], Project] = {}
