"""How many lines a second `graphwright check` looks at, cold and from its cache, against `ast.parse` of the same files.

Without a folder it takes what `make corpus` has fetched.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[1] / ".dev/corpus"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    folders: list[Path] = options.folders or [CORPUS]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    if not files:
        print("No Python files; `make corpus` fetches some.", file=sys.stderr)
        return 2
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    print(f"{len(files):,} files, {lines:,} lines")
    report("ast.parse, one process", lines, parsed(files))
    with tempfile.TemporaryDirectory() as cache:
        report("check, cold", lines, checked(folders, cache))
        report("check, from the cache", lines, checked(folders, cache))
    return 0


def parsed(files: list[Path]) -> float:
    started = time.perf_counter()
    for path in files:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with contextlib.suppress(SyntaxError, ValueError):
                ast.parse(path.read_bytes())
    return time.perf_counter() - started


def checked(folders: list[Path], cache: str) -> float:
    command = [sys.executable, "-m", "graphwright_server", "check", "--format", "json", "--exit-zero"]
    environment = {**os.environ, "GRAPHWRIGHT_CACHE_DIR": cache}
    started = time.perf_counter()
    subprocess.run([*command, *map(str, folders)], env=environment, capture_output=True, check=False)
    return time.perf_counter() - started


def report(what: str, lines: int, seconds: float) -> None:
    print(f"{what:24} {seconds:8.1f} s {lines / seconds:12,.0f} lines/s")


if __name__ == "__main__":
    sys.exit(main())
