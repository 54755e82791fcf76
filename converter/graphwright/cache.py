"""Generated code kept on the disk between two runs, one file per function, under a digest of all it depends on.

A cache that can't be read or written is as good as an empty one; nothing is ever said of it. Any number of processes
may read and write: an entry is written under a name of its own and then moved into place.
What is kept is code that will be run: a folder that another user owns, or may write to, isn't used.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import marshal
import os
import stat
import sys
import tempfile
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphwright_analysis.folders import default_folder

MOST_ENTRIES = 4096
"""How many entries are kept; beyond that the longest unused go."""

_SUFFIX = ".gw"
_DIGEST = 20
_DAY = 24 * 3600


def key_of(*parts: object) -> str:
    """A digest of everything that generated code depends on; Graphwright and Python are always part of it."""
    digest = hashlib.blake2b(b"" if _is_off() else _converter(), digest_size=_DIGEST)
    for part in parts:
        digest.update(repr(part).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


def load(key: str) -> types.CodeType | None:
    """The code that is stored under a key, if it is whole."""
    folder = _folder()
    if folder is None or not _is_private(folder):
        return None
    path = folder / f"{key}{_SUFFIX}"
    try:
        data = path.read_bytes()
        if hashlib.blake2b(data[_DIGEST:], digest_size=_DIGEST).digest() != data[:_DIGEST]:
            return None
        code = marshal.loads(data[_DIGEST:])
    except (OSError, ValueError, EOFError, TypeError):
        return None
    _mark_used(path)
    return code


def store(key: str, code: types.CodeType) -> None:
    """Store generated code, unless the disk refuses."""
    folder = _folder()
    if folder is None:
        return
    payload = marshal.dumps(code)
    data = hashlib.blake2b(payload, digest_size=_DIGEST).digest() + payload
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(folder):
            return
        _prune_once(folder)
        handle, name = tempfile.mkstemp(prefix=key, suffix=".part", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, folder / f"{key}{_SUFFIX}")
        except OSError:
            os.unlink(name)


def prune(folder: Path, most: int = MOST_ENTRIES) -> None:
    """Delete the longest unused entries beyond a number, and what a writer that died has left behind."""
    entries: list[tuple[float, str]] = []
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for entry in found:
            with contextlib.suppress(OSError):
                changed = entry.stat().st_mtime
                if entry.name.endswith(_SUFFIX):
                    entries.append((changed, entry.path))
                elif entry.name.endswith(".part") and changed < time.time() - _DAY:
                    os.unlink(entry.path)
    for _, path in sorted(entries)[: max(0, len(entries) - most)]:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _is_off() -> bool:
    return os.environ.get("GRAPHWRIGHT_NO_CACHE", "") not in ("", "0")


def _folder() -> Path | None:
    if _is_off() or not _converter():
        return None
    try:
        return default_folder() / "conversions"
    except RuntimeError:
        # There is no home.
        return None


def _is_private(folder: Path) -> bool:
    """Whether the folder is there, and only the user can put anything into it: one of the user's own is made so."""
    if sys.platform == "win32":
        return True  # It is below the user's own folder, whose rights it has.
    try:
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            return False
        if status.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError:
        return False
    return True


def _mark_used(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.stat().st_mtime < time.time() - _DAY:
            os.utime(path)


@functools.cache
def _prune_once(folder: Path) -> None:
    prune(folder)


@functools.cache
def _converter() -> bytes:
    """A digest of what converts and compiles: the content of its files, and Python; empty where it has no files.

    The version alone doesn't tell: an upgrade, a checkout or an edit may change the code and not the version. Sizes
    and times don't either: archives and installers set times as they like.
    """
    digest = hashlib.blake2b(f"{sys.version} {sys.flags.optimize}".encode(), digest_size=_DIGEST)
    for package in _CONVERTING:
        files = list(_files_of(package))
        if not files:
            return b""
        for name, content in files:
            digest.update(f"{package}/{name} {len(content)}\n".encode() + content)
    return digest.digest()


def _files_of(package: str) -> Iterator[tuple[str, bytes]]:
    """The modules of a package by name, in whatever it is installed: a folder, an archive, compiled files alone."""
    with contextlib.suppress(OSError, ImportError, ValueError):
        place: Any = Path(next(iter(importlib.import_module(package).__path__)))
        if not place.is_dir():
            from importlib import resources

            place = resources.files(package)
        for file in sorted(place.iterdir(), key=lambda file: file.name):
            if file.name.endswith((".py", ".pyc")):
                yield file.name, file.read_bytes()


_CONVERTING = (
    "graphwright",
    "graphwright.passes",
    "graphwright_analysis",
    "graphwright_analysis.flow",
    "graphwright_analysis.syntax",
)
