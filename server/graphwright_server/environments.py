"""Which Python environment the user's code is for, and which TensorFlow is in it: told from names of files.

It starts no Python and imports nothing of the environment.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from graphwright_analysis import Unreadable, immutable, read_text

_TENSORFLOW = re.compile(
    r"(?:tensorflow(?:_(?:cpu|gpu|intel|macos|rocm|aarch64|cpu_aws))?|tf_nightly(?:_cpu)?)-(\d[^-]*)\.(?:dist|egg)-info"
)
_IN_FOLDERS = (".venv", "venv", ".env", "env")
_ACTIVATED = ("VIRTUAL_ENV", "CONDA_PREFIX")


@immutable
class Environment:
    """An interpreter with what is installed for it; what isn't known is None."""

    name: str
    executable: str
    python: str | None
    tensorflow: str | None
    packages: tuple[Path, ...] = ()
    """The folders that its packages are in."""

    @property
    def words(self) -> str:
        """What a user is told: "TensorFlow 2.21.0 in .venv (Python 3.11.7)"."""
        what = f"TensorFlow {self.tensorflow}" if self.tensorflow else "No TensorFlow"
        where = f"{self.name} (Python {self.python})" if self.python else self.name
        return f"{what} in {where}"


@functools.lru_cache(maxsize=16)
def packages_of(folder: Path | None, chosen: str | None = None) -> tuple[Path, ...]:
    """The folders of installed packages of the environment that the code in a folder is for, as it was first seen."""
    return environment_of([] if folder is None else [folder], chosen).packages


def environment_of(
    folders: Sequence[Path], chosen: str | None = None, variables: Mapping[str, str] | None = None
) -> Environment:
    """The chosen interpreter's, else the folders' own, else the activated one, else the one that runs this."""
    if chosen:
        return _own() if os.path.abspath(chosen) == sys.executable else _by_executable(Path(chosen))
    variables = os.environ if variables is None else variables
    prefixes = [folder / name for folder in folders for name in _IN_FOLDERS]
    prefixes += [Path(variables[name]) for name in _ACTIVATED if variables.get(name)]
    for prefix in prefixes:
        if (executable := _executable(prefix)) is not None:
            return _by_prefix(prefix, executable)
    return _own()


def _by_executable(executable: Path) -> Environment:
    prefix = _prefix(str(executable))
    if prefix is not None:
        return _by_prefix(prefix, executable)
    # A Python of the system: its packages are in one of two folders beside it.
    above = executable.parent.parent
    packages = (*_packages(above), *_packages(above / "local"))
    return Environment(str(executable), str(executable), None, _tensorflow_in(packages), packages)


def _by_prefix(prefix: Path, executable: Path) -> Environment:
    packages = tuple(_packages(prefix))
    return Environment(prefix.name, str(executable), _version(prefix), _tensorflow_in(packages), packages)


def _own() -> Environment:
    inside = sys.prefix != sys.base_prefix
    name = Path(sys.prefix).name if inside else sys.executable
    folders = tuple(map(Path, sys.path))
    packages = tuple(folder for folder in folders if folder.name in ("site-packages", "dist-packages"))
    return Environment(name, sys.executable, sys.version.partition(" ")[0], _tensorflow_in(folders), packages)


def _prefix(executable: str) -> Path | None:
    """The folder of the virtual or conda environment that an interpreter stands in; not of what it links to."""
    for prefix in Path(os.path.abspath(executable)).parents[:2]:
        if (prefix / "pyvenv.cfg").is_file() or (prefix / "conda-meta").is_dir():
            return prefix
    return None


def _executable(prefix: Path) -> Path | None:
    if not (prefix / "pyvenv.cfg").is_file() and not (prefix / "conda-meta").is_dir():
        return None
    places = ("bin/python", "Scripts/python.exe", "python.exe")
    return next((prefix / place for place in places if (prefix / place).exists()), None)


def _version(prefix: Path) -> str | None:
    """As the environment's own papers say; else the minor version that its packages' folder is named after."""
    try:
        text = read_text(prefix / "pyvenv.cfg", "replace")
    except Unreadable:
        text = ""
    if stated := re.search(r"^version(?:_info)?\s*=\s*(\d+\.\d+(?:\.\d+)?)", text, re.MULTILINE):
        return stated.group(1)
    named = (re.fullmatch(r"python(\d+\.\d+)", folder.parent.name) for folder in _packages(prefix))
    return next((match.group(1) for match in named if match), None)


def _packages(prefix: Path) -> Iterator[Path]:
    for pattern in ("lib/python3*/site-packages", "lib/python3*/dist-packages", "lib/site-packages"):
        yield from prefix.glob(pattern)
    if sys.platform == "win32":
        yield from prefix.glob("Lib/site-packages")


def _tensorflow_in(folders: Iterable[Path]) -> str | None:
    for folder in folders:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            if (match := _TENSORFLOW.fullmatch(name)) is not None:
                return match.group(1)
    return None
