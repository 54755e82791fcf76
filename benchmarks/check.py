"""`graphwright check` of a folder: lines a second cold and from its cache, against `ast.parse` of the same files, and
what it costs that one file was changed which many import: a comment in it, a function, what it does on import.

Without a folder it takes what `make corpus` has fetched. The files are copied first; nothing is changed in the folder.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from graphwright_analysis import Project, Unreadable

CORPUS = Path(__file__).resolve().parents[1] / ".dev/corpus"
ASKED = 300
"""Of how many files it is asked what they import, to find the one that most do."""


def _in_two_functions(text: str) -> str:
    """With a statement more in the first two functions that stand at the top level."""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    lines = text.split("\n")
    for function in reversed(functions[:2]):
        last = function.body[-1]
        lines.insert(last.lineno - 1, f"{' ' * last.col_offset}_changed_by_benchmark = 1")
    return "\n".join(lines)


EDITS = {
    "a comment in a hub": lambda text: f"{text}\n# Changed.\n",
    "a new function in a hub": lambda text: f"{text}\n\ndef _added_by_benchmark(x):\n    return x\n",
    "two functions of a hub": _in_two_functions,
    "an effect in a hub": lambda text: f"{text}\nprint(__name__)\n",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    originals: list[Path] = options.folders or [CORPUS]
    with tempfile.TemporaryDirectory() as place:
        folders = [Path(place) / str(number) / given.name for number, given in enumerate(originals)]
        for given, copy in zip(originals, folders, strict=True):
            shutil.copytree(given, copy, ignore=lambda _, names: [name for name in names if name == "__pycache__"])
        return measure(folders, f"{place}/cache")


def measure(folders: Sequence[Path], cache: str) -> int:
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    if not files:
        print("No Python files; `make corpus` fetches some.", file=sys.stderr)
        return 2
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    print(f"{len(files):,} files, {lines:,} lines")
    report("ast.parse, one process", lines, lambda: parsed(files))
    report("check, cold", lines, lambda: check(folders, cache))
    report("check, from the cache", lines, lambda: check(folders, cache))
    for hub, importers in hubs(folders):
        print(f"{hub.name}, which {importers} of {min(ASKED, len(files))} files import:")
        text = hub.read_bytes()
        for what, edited in EDITS.items():
            hub.write_bytes(edited(text.decode("utf-8")).encode("utf-8"))
            report(what, lines, lambda: check(folders, cache))
            hub.write_bytes(text)
            check(folders, cache)
    return 0


def hubs(folders: Sequence[Path]) -> list[tuple[Path, int]]:
    """Of each folder the file that most import."""
    found: list[tuple[Path, int]] = []
    for folder in folders:
        project = Project(folder, still=True)
        files = [str(path) for path in project.sources.files([folder])]
        imported = Counter[str]()
        for path in files[:: max(1, len(files) // ASKED)]:
            with contextlib.suppress(Unreadable):
                imported.update({file for _, (file, _) in project.sources.destinations(path) if file} - {path})
        found += [(Path(file), count) for file, count in imported.most_common(1)]
    return found


def parsed(files: Sequence[Path]) -> None:
    for path in files:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with contextlib.suppress(SyntaxError, ValueError):
                ast.parse(path.read_bytes())


def check(folders: Sequence[Path], cache: str) -> None:
    command = [sys.executable, "-m", "graphwright_server", "check", "--format", "json", "--exit-zero"]
    environment = {**os.environ, "GRAPHWRIGHT_CACHE_DIR": cache}
    subprocess.run([*command, *map(str, folders)], env=environment, capture_output=True, check=False)


def report(what: str, lines: int, work: Callable[[], None]) -> None:
    wall, cpu = time.perf_counter(), sum(os.times()[:4])
    work()
    wall, cpu = time.perf_counter() - wall, sum(os.times()[:4]) - cpu
    print(f"{what:24} {wall:7.1f} s {cpu:7.1f} s CPU {lines / cpu:12,.0f} lines a CPU second", flush=True)


if __name__ == "__main__":
    sys.exit(main())
