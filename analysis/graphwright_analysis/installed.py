"""Where the names of installed packages are defined: found by jedi, in an environment's folders of packages.

No interpreter is started and nothing is imported for that. Only packages that are made for TensorFlow are followed.
"""

from __future__ import annotations

import functools
import importlib
import logging
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from .folders import default_folder
from .immutability import immutable
from .imports import Import, leads_outside
from .user_files import Unreadable, read_bytes, read_text

log = logging.getLogger(__name__)


@immutable
class Installed:
    """The packages in some folders, as an environment has them."""

    folders: tuple[str, ...]

    def has(self, path: str) -> bool:
        """Whether a file is one of theirs."""
        return any(contains(folder, path) for folder in self.folders)

    def follows(self, imported: Import) -> bool:
        """Whether what is imported by its whole name may be followed there."""
        name = imported.module.partition(".")[0]
        if leads_outside(imported) or name in _KNOWN_BY_TABLES:
            return False
        return name in _made_for_tensorflow(self.folders)

    def destination_of(self, imported: Import) -> tuple[str | None, str | None]:
        """The file in which something that is imported is defined, and its name there, None where it is the file."""
        if not imported.level and self.follows(imported):
            for found in _definitions(self.folders, imported):
                path = str(found.module_path or "")
                if path.endswith(".py") and self.has(path):
                    return (path, None) if found.type == "module" else (path, str(found.name))
        return None, imported.name


def contains(folder: Path | str, path: Path | str) -> bool:
    """Whether a path is a folder's own or of something in it, as both are written."""
    return f"{path}{os.sep}".startswith(f"{folder}{os.sep}")


_KNOWN_BY_TABLES = frozenset({"tf_keras", "tensorboard", "tensorflow_datasets"})


@functools.cache
def _made_for_tensorflow(folders: tuple[str, ...]) -> frozenset[str]:
    """The modules of the packages that say that they need TensorFlow or Keras, or may need it."""
    return frozenset(name for folder in folders for info in _papers(folder) for name in _modules(info))


def _papers(folder: str) -> Iterator[Path]:
    """The folders in which packages say what they need."""
    with suppress(OSError):
        for name in sorted(os.listdir(folder)):
            info = Path(folder, name)
            if _PAPERS.fullmatch(name) and _NEEDS_TENSORFLOW.search(_head(info / "METADATA")):
                yield info


def _head(file: Path) -> bytes:
    with suppress(Unreadable):
        return read_bytes(file).replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return b""


def _modules(info: Path) -> Iterator[str]:
    """What a package brings along that can be imported."""
    with suppress(Unreadable):
        for line in read_text(info / "RECORD", "replace").splitlines():
            name, _, rest = line.partition(",")[0].partition("/")
            if rest.endswith(".py") or (not rest and name.endswith(".py")):
                yield name.removesuffix(".py")


_PAPERS = re.compile(r"(?!(?:tensorflow(?:_cpu|_intel|_gpu|_macos|_rocm)?|tf_nightly(?:_cpu)?|tf_keras)-).*\.dist-info")
"""The names of such folders, but for those of TensorFlow, which says of each of its 20,000 files what it is."""
_NEEDS_TENSORFLOW = re.compile(rb"^Requires-Dist:\s*(?:tensorflow|tf[-_]|keras\b)", re.MULTILINE | re.IGNORECASE)


def _definitions(folders: tuple[str, ...], imported: Import) -> list[Any]:
    code = f"import {imported.module}" if imported.name is None else f"from {imported.module} import {imported.name}"
    try:
        return _script(folders, code).goto(1, len(code), follow_imports=True)
    except Exception:
        log.exception("jedi could not tell where `%s` leads", code)
        return []


@functools.cache
def _jedi() -> Any:
    jedi: Any = importlib.import_module("jedi")  # takes longer to load than most files to check
    importlib.import_module("parso.file_io").FileIO.read = _read
    grammar: Any = importlib.import_module("parso.grammar")
    trees = importlib.import_module("parso.cache").parser_cache
    load, save = grammar.load_module, grammar.try_to_save_module
    warnings.filterwarnings("ignore", module=r"parso\.cache")  # where it isn't allowed to write

    def load_or_parse(hashed: str, file: Any, cache_path: Any = None) -> Any:
        try:
            return load(hashed, file, cache_path)
        except Exception as problem:
            log.debug("jedi's tree of %s can't be used: %s", file.path, problem)
            trees.get(hashed, {}).pop(file.path, None)
            return None

    def save_if_possible(hashed: str, file: Any, *rest: Any, **options: Any) -> None:
        try:
            save(hashed, file, *rest, **options)
        except Exception as problem:
            log.debug("jedi's tree of %s can't be kept: %s", file.path, problem)

    grammar.load_module, grammar.try_to_save_module = load_or_parse, save_if_possible
    return jedi


def _read(file: Any) -> bytes:
    """What jedi reads, stubs among it: a file that may not be read is as good as none."""
    try:
        return read_bytes(file.path)
    except Unreadable as problem:
        raise FileNotFoundError(str(problem)) from None


def _script(folders: tuple[str, ...], code: str) -> Any:
    jedi = _jedi()

    class Nowhere(jedi.InterpreterEnvironment):
        """What this Python imports from is what jedi would load compiled modules from."""

        def get_sys_path(self) -> list[str]:
            return []

    jedi.settings.cache_directory = str(default_folder() / "jedi")
    project = jedi.Project(folders[0], sys_path=[*folders], smart_sys_path=False, load_unsafe_extensions=False)
    return jedi.Script(code, project=project, environment=Nowhere())
