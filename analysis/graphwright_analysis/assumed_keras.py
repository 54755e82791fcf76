"""Which Keras is assumed of a file, and why: the settings, or what the folders around it require.

What the code itself says, such as `TF_USE_LEGACY_KERAS`, is seen where it is traced.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from .immutability import immutable
from .requirements import Requirement, decided, included_in, requirements_in
from .settings import Settings
from .values.keras_choice import BACKENDS, NO_CHOICE, KerasChoice
from .values.tensorflow.tables import OLDEST


@immutable
class AssumedKeras:
    """A choice with the reasons for it."""

    choice: KerasChoice = NO_CHOICE
    why: tuple[str, ...] = ()
    """Empty for what is assumed where nothing is said."""

    @property
    def words(self) -> str:
        return ", ".join(self.why) or "Keras 3 (default)"


@immutable
class FolderStatement:
    """What the files in one folder say; None and empty where they say nothing."""

    required: Requirement | None = None
    backend: str = ""


Reader = Callable[[str], "str | None"]
"""Returns the text of a file, or None where there is none that can be read."""


def assumed_keras(
    path: str, root: Path | None, settings: Settings, read: Reader, known: MutableMapping[str, FolderStatement]
) -> AssumedKeras:
    """Return which Keras a file of a project is for; what is known of folders is read from `known` and added to it."""
    statements: list[FolderStatement] = []
    for folder in _folders_around(path, root):
        if folder not in known:
            known[folder] = _stated_in(folder, read)
        statements.append(known[folder])
    choice, why = NO_CHOICE, list[str]()
    required = next((each.required for each in statements if each.required is not None), None)
    if settings.keras is not None:
        choice = replace(choice, generation=settings.keras, generation_is_set=True)
        why.append(f"Keras {settings.keras} (settings)")
    elif settings.tensorflow_version is not None:
        choice = replace(choice, generation=3 if settings.tensorflow_version >= OLDEST else 2)
        why.append(f"Keras {choice.generation} (`tensorflow-version` in the settings)")
    elif required is not None and required.generation is not None:
        choice = replace(choice, generation=required.generation)
        where = os.path.relpath(required.file, root).replace(os.sep, "/")
        why.append(f"Keras {required.generation} ({where}: {required.words})")
    backend = next((each.backend for each in statements if each.backend), "")
    if settings.keras_backend is not None:
        choice = replace(choice, backend=settings.keras_backend, backend_is_set=True)
        why.append(f"backend {settings.keras_backend} (settings)")
    elif backend:
        choice = replace(choice, backend=backend)
        why.append(f"backend {backend} (keras.json)")
    return AssumedKeras(choice, tuple(why))


def says_which_keras(path: Path) -> bool:
    """True if a file is one of those that are read here, by its name."""
    lists = path.suffix == ".txt" and (path.name.startswith(_LISTS) or path.parent.name == _LISTS)
    return lists or path.name in (*_PACKAGE_FILES, _KERAS_JSON, _METADATA)


_PACKAGE_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "PKG-INFO")
_METADATA, _WHEEL = "METADATA", ".dist-info"
_KERAS_JSON = "keras.json"
_LISTS = "requirements"
_MAIN = frozenset({"requirements", "base", "main", "core", "common", "default", "install", "prod", "production"})
"""The requirements files that everybody installs."""


def _folders_around(path: str, root: Path | None) -> Iterator[str]:
    """The folders from a file's own up to the root; the root alone for a file that isn't under it."""
    top = "" if root is None else os.path.abspath(root)
    folder = os.path.dirname(os.path.abspath(path))
    while top and folder.startswith(os.path.join(top, "")):
        yield folder
        folder = os.path.dirname(folder)
    if top:
        yield top


def _stated_in(folder: str, read: Reader) -> FolderStatement:
    files = [os.path.join(folder, name) for name in _PACKAGE_FILES] + _of_wheel(folder)
    found = [
        replace(each, file=file) for file in files for each in requirements_in(os.path.basename(file), read(file) or "")
    ]
    for file in _lists_in(folder):
        main = os.path.splitext(os.path.basename(file))[0] in _MAIN
        found += (replace(each, extra=each.extra or not main) for each in _listed(file, read, set()))
    return FolderStatement(decided(found), _backend_in(folder, read))


def _of_wheel(folder: str) -> list[str]:
    """The metadata in a folder that one wheel was unpacked in; where many are installed, each speaks for itself."""
    try:
        found = [name for name in os.listdir(folder) if name.endswith(_WHEEL)]
    except OSError:
        return []
    return [os.path.join(folder, name, _METADATA) for name in found] if len(found) == 1 else []


def _lists_in(folder: str) -> Iterator[str]:
    """The requirements files of a folder, and those in a folder `requirements` in it."""
    for where, all_of_them in ((folder, False), (os.path.join(folder, _LISTS), True)):
        try:
            names = sorted(os.listdir(where))
        except OSError:
            continue
        for name in names:
            if name.endswith(".txt") and (all_of_them or name.startswith(_LISTS)):
                yield os.path.join(where, name)


def _listed(file: str, read: Reader, seen: set[str]) -> Iterator[Requirement]:
    """What a requirements file and those that it includes list."""
    if file in seen or len(seen) > _MOST_FILES:
        return
    seen.add(file)
    text = read(file) or ""
    yield from (replace(each, file=file) for each in requirements_in(os.path.basename(file), text))
    for included in included_in(text):
        yield from _listed(os.path.normpath(os.path.join(os.path.dirname(file), included)), read, seen)


_MOST_FILES = 50


def _backend_in(folder: str, read: Reader) -> str:
    """The backend that a Keras configuration in a folder names, if it is one that is known."""
    for name in (_KERAS_JSON, os.path.join(".keras", _KERAS_JSON)):
        try:
            table: Any = json.loads(read(os.path.join(folder, name)) or "{}")
        except (ValueError, RecursionError):
            continue
        backend = cast("dict[str, Any]", table).get("backend") if isinstance(table, dict) else None
        if backend in BACKENDS:
            return str(backend)
    return ""
