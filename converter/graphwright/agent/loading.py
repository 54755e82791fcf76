"""Imports the user's module as the user's own program would, and what it needs besides.

Nothing is written: neither byte code nor the texts of an editor's unsaved buffers.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import linecache
import os
import re
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any


class Missing(Exception):
    """Something that has to be there isn't; the message says what and where."""


def prepare(texts: Mapping[str, str], libraries: Mapping[str, str]) -> None:
    """Let unsaved texts count, and packages of the server be found after all others."""
    sys.argv[:] = [""]
    if texts:
        unsaved = {os.path.realpath(path): text for path, text in texts.items()}
        sys.meta_path.insert(0, Buffers(unsaved))
        keep_sources(unsaved)
    find_libraries(libraries)


def find_libraries(libraries: Mapping[str, str]) -> None:
    """Let packages of the server be found after all others."""
    sys.dont_write_bytecode = True
    if not any(isinstance(finder, Libraries) for finder in sys.meta_path):
        sys.meta_path.append(Libraries(libraries))


class Libraries:
    """Finds the packages that come with the server, where the user's environment has none of that name."""

    def __init__(self, folders: Mapping[str, str]) -> None:
        self._folders = folders
        self.names = tuple(folders)

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> Any:
        folder = self._folders.get(name)
        if folder is None or path is not None:
            return None
        return importlib.machinery.PathFinder.find_spec(name, [folder], target)


class Buffers:
    """Finds modules whose text is in an editor and not saved."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        return None if spec is None else self.replaced(spec)

    def holds(self, file: str) -> bool:
        """Whether the text of a file is known, be it on the disk or not."""
        return os.path.realpath(file) in self._texts

    def replaced(self, spec: Any) -> Any:
        if spec.origin and self.holds(spec.origin):
            spec.loader = self.loader(spec.name, spec.origin)
            return spec
        return None

    def loader(self, name: str, file: str) -> BufferLoader:
        """What loads a file whose text is known."""
        return BufferLoader(name, file, self._texts[os.path.realpath(file)])


class BufferLoader(importlib.machinery.SourceFileLoader):
    """Loads a module from a text; whoever reads its source reads that text."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_data(self, path: str) -> bytes:
        return self._text.encode("utf-8") if os.path.realpath(path) == os.path.realpath(self.path) else b""

    def get_code(self, fullname: str) -> types.CodeType:
        remember_source(self.path, self._text)
        return self.source_to_code(self._text, self.path)  # pyright: ignore[reportUnknownMemberType]


def remember_source(path: str, text: str) -> None:
    """What `inspect` and tracebacks show of a file; without a time it isn't looked up again."""
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)


def keep_sources(texts: Mapping[str, str]) -> None:
    """Whoever reads such a file's lines gets the text: AutoGraph has them read again from the disk."""
    read = linecache.updatecache

    def updatecache(filename: str, module_globals: dict[str, Any] | None = None) -> list[str]:
        text = texts.get(os.path.realpath(filename))
        if text is None:
            return read(filename, module_globals)
        remember_source(filename, text)
        return linecache.cache[filename][2]  # type: ignore[return-value,misc]

    linecache.updatecache = updatecache


def import_module(file: str) -> types.ModuleType:
    """The module of a file, by its name in its package, or by its own with its folder on the path."""
    buffers = [finder for finder in sys.meta_path if isinstance(finder, Buffers)]
    if not os.path.isfile(file) and not any(finder.holds(file) for finder in buffers):
        raise Missing(f"File not found: {file}.")
    root, name = package_of(file) if is_module(file) else (os.path.dirname(os.path.abspath(file)), notebook_name(file))
    sys.path.insert(0, root)
    forget_shadowed(root)
    parent, _, _ = name.rpartition(".")
    if parent or os.path.basename(file) == "__init__.py":
        return importlib.import_module(name)
    if name in sys.modules:
        name += "_"
    # What has another suffix, as a notebook has, is Python where its text is given.
    loader = None if is_module(file) else next((each.loader(name, file) for each in buffers if each.holds(file)), None)
    spec = importlib.util.spec_from_file_location(name, file, loader=loader)
    if spec is None or spec.loader is None:
        raise Missing(
            f"{os.path.basename(file)} isn't a Python file. To trace a function of a notebook, use an editor."
        )
    for finder in buffers:
        spec = finder.replaced(spec) or spec
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    assert spec.loader is not None
    if not is_module(file):
        vars(module)["display"] = print  # what IPython would add
    spec.loader.exec_module(module)
    return module


def forget_shadowed(root: str) -> None:
    """Have packages of the server that were imported already be imported from a folder that has them as well."""
    names = [name for finder in sys.meta_path if isinstance(finder, Libraries) for name in finder.names]
    for name in names:
        own = importlib.machinery.PathFinder.find_spec(name, [root])
        loaded = getattr(sys.modules.get(name), "__file__", None)
        if own is not None and loaded is not None and own.origin != loaded:
            for each in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
                del sys.modules[each]


def is_module(file: str) -> bool:
    """Whether Python imports a file by its suffix: a notebook it doesn't."""
    return file.endswith(tuple(importlib.machinery.SOURCE_SUFFIXES))


def notebook_name(file: str) -> str:
    """The name of a notebook as a module."""
    return re.sub(r"\W", "_", os.path.splitext(os.path.basename(file))[0])


def package_of(file: str) -> tuple[str, str]:
    """The folder that a module is imported from, and its name there."""
    folder, base = os.path.split(os.path.abspath(file))
    stem = os.path.splitext(base)[0]
    names = [] if stem == "__init__" else [stem]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        names.insert(0, package)
    return folder, ".".join(names)
